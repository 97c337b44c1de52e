/** The routes for replies to an enquiry. A reply is stored with the enquiry, and sent by the outbox. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { textSchema } from "../../schema/kinds/fields.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { ReplyThread } from "../../schema/api/mailResponses.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import {
  MAX_REPLY_LENGTHS,
  type StoredReply,
  toSubmissionResponse,
} from "../../schema/enquiry/visitors.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { readCheckedJson } from "../http/body.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { conflict, noLongerExists } from "../shared/errors.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import type { Store } from "../storage/store.ts";
import {
  suggestedTimesFields,
  parseSuggestedTimes,
  findSuggestionProblem,
  findUpcomingTimes,
} from "../bookings/suggestedTimes.ts";
import {
  type Mail,
  getReplyTexts,
  createDefaultSignature,
  createDefaultTemplates,
  MAIL_NOT_SET_UP_MESSAGE,
} from "../mail/mail.ts";
import { findEmail, findPhone } from "../mail/messages/ownerMessages.ts";
import { createReplyMessageKey, type ReplyMessages } from "./replyMessages.ts";
import type { SessionMailLimits } from "../mail/sessionMailLimits.ts";

type Submission = Item<"formSubmissions">;

interface RepliesContext {
  readonly store: Store;
  readonly guard: AccessGuard;
  readonly mail: Mail & { readonly replies: ReplyMessages };
  readonly sessionMailLimits: Pick<SessionMailLimits, "assertReplyAllowed">;
  readonly clock: Clock;
}

const MAX_REPLIES = 50;

const replySchema = v.object({
  ...suggestedTimesFields,
  subject: v.pipe(textSchema(MAX_REPLY_LENGTHS.subject), v.nonEmpty("Enter a subject.")),
  text: v.pipe(textSchema(MAX_REPLY_LENGTHS.text), v.nonEmpty("Write a message first.")),
});

/**
 * GET `/api/form-submissions/{id}/replies` returns a `ReplyThread`. An owner's POST `{subject, text}` sends a reply and
 * returns the enquiry. With `{at, minutes, how, where}`, the reply suggests times for a call.
 */
export function createReplyRoutes(context: RepliesContext) {
  const { store, guard, mail, sessionMailLimits, clock } = context;
  const submissions = store.of(entities.formSubmissions);
  const { permission } = entities.formSubmissions;
  const requireSubmission = async (id: string): Promise<Submission> => {
    const submission = await submissions.get(id);
    if (!submission) throw noLongerExists(entities.formSubmissions);
    return submission;
  };
  return new Elysia({ prefix: "/api/form-submissions" })
    .use(guard)
    .get(
      "/:id/replies",
      async ({ params, user }) => {
        const thread = await readReplyThread(context, await requireSubmission(params.id));
        return { ...thread, isPossible: thread.isPossible && hasPermission(user.role, "site") };
      },
      { may: permission },
    )
    .post(
      "/:id/replies",
      async ({ request, params, owner, logAudit, set }) => {
        const input = await readCheckedJson(replySchema, request, "text");
        const enquiry = await requireSubmission(params.id);
        const to = findEmail(enquiry.questions);
        if (!mail.getAccount()) throw conflict(MAIL_NOT_SET_UP_MESSAGE);
        if (to === null) throw conflict(NO_ADDRESS_MESSAGE);
        if (enquiry.replies.length >= MAX_REPLIES) throw conflict(TOO_MANY_REPLIES_MESSAGE);
        const offers = parseSuggestedTimes(input, {
          zone: getSiteTimeZone(store),
          now: clock(),
          phoneNumber: findPhone(enquiry.questions),
        });
        if (offers.length > 0 && !mail.getBranding().siteUrl) throw conflict(NO_SITE_URL_MESSAGE);
        sessionMailLimits.assertReplyAllowed(owner);
        const reply: StoredReply = {
          id: Bun.randomUUIDv7(),
          at: getTimestamp(clock),
          by: owner.username,
          to,
          subject: input.subject,
          text: input.text,
          ...(offers.length > 0 && { offers }),
        };
        const replyTo = store.of(entities.site).read().value.contactEmail ?? owner.email;
        const submission = await mail.replies.add(enquiry, reply, replyTo);
        logAudit("data", "replied to a submission");
        set.status = 201;
        return toSubmissionResponse(submission);
      },
      { owner: true, parse: "none" },
    );
}

const NO_ADDRESS_MESSAGE = "This submission has no email address.";
const NO_SITE_URL_MESSAGE =
  "The link to choose a time needs the site's public URL. Set SITE_URL on the server first.";
const TOO_MANY_REPLIES_MESSAGE =
  "This submission already has 50 replies. Continue from your own email account.";

async function readReplyThread(
  { store, mail, clock }: RepliesContext,
  submission: Submission,
): Promise<ReplyThread> {
  const replies = await Promise.all(
    submission.replies.map(async (reply) => {
      const message = await mail.outbox.findNewestAbout(createReplyMessageKey(reply));
      return { ...reply, state: message?.state ?? null, problem: message?.problem ?? null };
    }),
  );
  const { signature, replyTemplates } = mail.settings.read().value;
  const { greeting, subject, shortGreetingNamed, shortGreeting } = getReplyTexts(mail);
  return {
    signature: signature || createDefaultSignature(mail),
    templates: replyTemplates ?? createDefaultTemplates(mail),
    greeting,
    subject,
    hi: shortGreetingNamed,
    hiThere: shortGreeting,
    isPossible: mail.getAccount() !== undefined && findEmail(submission.questions) !== null,
    times:
      mail.getBranding().siteUrl === undefined
        ? null
        : await readTimesToSuggest(store, clock(), submission),
    replies,
  };
}

async function readTimesToSuggest(store: Store, now: number, submission: Submission) {
  const zone = getSiteTimeZone(store);
  return {
    zone,
    number: findPhone(submission.questions),
    taken: await findUpcomingTimes(store, zone, now),
    refusal: findSuggestionProblem(submission, now),
  };
}
