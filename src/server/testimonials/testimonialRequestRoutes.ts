/** The links of testimonial requests, and the routes with which users copy or send them. */
import { parseUrl } from "../../schema/core/boundedUnicode.ts";
import { Elysia } from "elysia";
import { entities, type Item } from "../../schema/index.ts";
import type { TestimonialRequestLink } from "../../schema/api/mailResponses.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import { getWords } from "../../web/words/allWords.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { drawQr } from "../shared/drawQr.ts";
import { conflict, noLongerExists } from "../shared/errors.ts";
import { findItem, type Store } from "../storage/store.ts";
import type { Mail } from "../mail/mail.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import { createButtonBlock, createTextBlock } from "../mail/messages/ownerMessages.ts";
import type { SessionMailLimits } from "../mail/sessionMailLimits.ts";
import { createTokenSigner } from "../shared/signedTokens.ts";

export const TESTIMONIAL_REQUEST_PATH = "/say";

export type TestimonialRequestLinks = ReturnType<typeof createTestimonialRequestLinks>;

/** Creates and reads signed links to write and withdraw a testimonial. Stored requests decide if links work. */
export function createTestimonialRequestLinks(getSecret: () => string) {
  const { createToken, readToken } = createTokenSigner(getSecret, "testimonial", 32);
  return {
    createPath: (requestId: string) => `${TESTIMONIAL_REQUEST_PATH}?t=${createToken(requestId)}`,
    /** Returns the request's id; undefined for a token that this site didn't sign. */
    read: (token: string | null) => readToken(token),
  };
}

interface TestimonialRequestContext {
  readonly store: Store;
  readonly guard: AccessGuard;
  readonly mail: Mail;
  readonly links: TestimonialRequestLinks;
  readonly sessionMailLimits: Pick<SessionMailLimits, "assertReplyAllowed">;
}

/** GET `/api/testimonial-requests/{id}/link?from={origin}` returns the link. POST `…/mail` sends it by email. */
export function createTestimonialRequestRoutes(context: TestimonialRequestContext) {
  const { store, guard, mail, links, sessionMailLimits } = context;
  const requireOpenRequest = (id: string): Item<"testimonialRequests"> => {
    const testimonialRequest = findItem(store, entities.testimonialRequests, id);
    if (!testimonialRequest || testimonialRequest.usedAt !== null)
      throw noLongerExists(entities.testimonialRequests);
    return testimonialRequest;
  };
  return new Elysia({ prefix: "/api/testimonial-requests" })
    .use(guard)
    .get(
      "/:id/link",
      async ({ params, request, user }): Promise<TestimonialRequestLink> => {
        const { siteName, siteUrl = readDashboardOrigin(request), language } = mail.getBranding();
        const link = siteUrl + links.createPath(requireOpenRequest(params.id).id);
        const { testimonialForm } = getWords(language).words;
        return {
          link,
          message: fillPlaceholders(testimonialForm.requestMessage, { link, name: siteName }),
          qr: await drawQr(link),
          canMail: mail.accountMail.canSendLinks() && hasPermission(user.role, "site"),
        };
      },
      { may: entities.testimonialRequests.permission },
    )
    .post(
      "/:id/mail",
      async ({ params, owner, logAudit, set }) => {
        const testimonialRequest = requireOpenRequest(params.id);
        if (!mail.accountMail.canSendLinks()) throw conflict(MAIL_NOT_SET_UP_MESSAGE);
        if (testimonialRequest.email === null) throw conflict(NO_ADDRESS_MESSAGE);
        sessionMailLimits.assertReplyAllowed(owner);
        const { contactEmail } = store.of(entities.site).read().value;
        await mail.outbox.add({
          ...createRequestMessage(mail, links.createPath(testimonialRequest.id)),
          kind: "ask",
          to: testimonialRequest.email,
          replyTo: contactEmail ?? owner.email,
          about: testimonialRequest.id,
        });
        logAudit("data", "requested a testimonial");
        set.status = 202;
        return {};
      },
      { owner: true },
    );
}

/** Returns the dashboard's origin, for sites without SITE_URL. `from` must have the requested host. */
function readDashboardOrigin({ url, headers }: Request): string {
  const host = headers.get("host") ?? "";
  const from = parseUrl(new URL(url).searchParams.get("from") ?? "");
  return from?.host === host ? from.origin : `http://${host}`;
}

const MAIL_NOT_SET_UP_MESSAGE =
  "Set up email (Account menu > Email settings) and the site's public URL (SITE_URL) first.";
const NO_ADDRESS_MESSAGE = "Enter their email address first.";

function createRequestMessage(mail: Mail, path: string) {
  const site = mail.getBranding();
  const { testimonialForm, withColon } = getWords(site.language).words;
  const fillSiteName = (sentence: string) => fillPlaceholders(sentence, { name: site.siteName });
  const title = fillSiteName(testimonialForm.title);
  const blocks = [
    createTextBlock(fillSiteName(testimonialForm.requestText)),
    createButtonBlock(testimonialForm.requestButton, `${site.siteUrl}${path}`),
  ];
  const footer = fillSiteName(testimonialForm.requestFoot);
  return {
    subject: title,
    ...renderMessage({ ...site, colonFormat: withColon, title, blocks, footer }),
  };
}
