/** Ways for an owner to ask for a testimonial: a link, a message with it, a QR code, or an email. */
import { parsedUrl } from "../../schema/core/boundedUnicode.ts";
import { Elysia } from "elysia";
import { entities, type Item } from "../../schema/index.ts";
import type { SayLink } from "../../schema/api/mailResponses.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import { wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { drawnQr } from "../shared/drawnQr.ts";
import { conflict, noLongerExists } from "../shared/errors.ts";
import { findItem } from "../storage/findItem.ts";
import type { Store } from "../storage/store.ts";
import type { Mail } from "../mail/mail.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import { button, text } from "../mail/messages/ownerMessages.ts";
import type { SessionMail } from "../mail/sessionMail.ts";
import type { SayLinks } from "./sayLinks.ts";

interface RequestContext {
  readonly store: Store;
  readonly guard: AccessGuard;
  readonly mail: Mail;
  readonly links: SayLinks;
  readonly sessionMail: Pick<SessionMail, "reply">;
}

/**
 * GET `/api/testimonial-requests/{id}/link?from={origin}` returns a `SayLink`; POST `…/mail` sends it to their email, an owner's alone.
 */
export function testimonialRequestRoutes({
  store,
  guard,
  mail,
  links,
  sessionMail,
}: RequestContext) {
  const find = (id: string): Item<"testimonialRequests"> => {
    const testimonialRequest = findItem(store, entities.testimonialRequests, id);
    if (!testimonialRequest || testimonialRequest.usedAt !== null)
      throw noLongerExists(entities.testimonialRequests);
    return testimonialRequest;
  };
  const isPossible = () => mail.account() !== undefined && mail.stationery().siteUrl !== undefined;
  return new Elysia({ prefix: "/api/testimonial-requests" })
    .use(guard)
    .get(
      "/:id/link",
      async ({ params, request, user }): Promise<SayLink> => {
        const { siteName, siteUrl = originIn(request), language } = mail.stationery();
        const link = siteUrl + links.make(find(params.id).id);
        const { say } = wordsFor(language).words;
        return {
          link,
          message: fill(say.message, { link, name: siteName }),
          qr: await drawnQr(link),
          canMail: isPossible() && hasPermission(user.role, "site"),
        };
      },
      { may: entities.testimonialRequests.permission },
    )
    .post(
      "/:id/mail",
      async ({ params, owner, happened, set }) => {
        const testimonialRequest = find(params.id);
        if (!isPossible()) throw conflict(NOT_SET_UP);
        if (testimonialRequest.email === null) throw conflict(NO_ADDRESS);
        sessionMail.reply(owner);
        const { contactEmail } = store.of(entities.site).read().value;
        await mail.outbox.add({
          ...askingMessage(mail, links.make(testimonialRequest.id)),
          kind: "ask",
          to: testimonialRequest.email,
          replyTo: contactEmail ?? owner.email,
          about: testimonialRequest.id,
        });
        happened("data", "requested a testimonial");
        set.status = 202;
        return {};
      },
      { owner: true },
    );
}

/** The dashboard's own origin, if it matches the host; for a site whose address isn't configured. */
function originIn({ url, headers }: Request): string {
  const host = headers.get("host") ?? "";
  const from = parsedUrl(new URL(url).searchParams.get("from") ?? "");
  return from?.host === host ? from.origin : `http://${host}`;
}

const NOT_SET_UP =
  "Set up email (Account menu > Email settings) and the site's public URL (SITE_URL) first.";
const NO_ADDRESS = "Enter their email address first.";

/** The request, in the site's language. */
function askingMessage(mail: Mail, path: string) {
  const site = mail.stationery();
  const { say } = wordsFor(site.language).words;
  const withSiteName = (sentence: string) => fill(sentence, { name: site.siteName });
  const title = withSiteName(say.title);
  const blocks = [text(withSiteName(say.askText)), button(say.askButton, `${site.siteUrl}${path}`)];
  return {
    subject: title,
    ...renderMessage({ ...site, title, blocks, foot: withSiteName(say.askFoot) }),
  };
}
