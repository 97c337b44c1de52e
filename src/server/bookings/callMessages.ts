/**
 * Messages about calls: booked, to both; moved or called off, to the visitor; none suits, to the owner. Text and
 * calendar file are written when a message is sent, from what was stored with it.
 */
import * as v from "valibot";
import { type Booking, bookingSchema } from "../../schema/enquiry/calls.ts";
import { entities, type Item } from "../../schema/index.ts";
import { wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import { calendarHost, calendarWriter } from "../shared/calendarFile.ts";
import { callStart } from "../shared/callTimes.ts";
import type { MessageBranding } from "../shared/message.ts";
import type { Store } from "../storage/store.ts";
import { NothingToSend } from "../mail/carriers/deliveryError.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import {
  enquirySummary,
  SUBMISSION_DELETED,
  dashboardButton,
  findName,
  pathOf,
  quote,
  small,
  text,
  type MessageContent,
  type OwnerMailContext,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";
import type { StoredMessage } from "../mail/queue/kinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import { callEntry, type CallEntryOptions } from "./callEntry.ts";
import {
  timeInRecipientZone,
  formatDateTime,
  describeLocation,
  formatZone,
} from "../shared/formatCall.ts";
import { firstNameIn } from "./suggestedTimes.ts";

type Submission = Item<"formSubmissions">;

type CallChange = "booked" | "moved" | "cancelled";

export type CallMessages = ReturnType<typeof callMessages>;

interface CallMessagesContext extends OwnerMailContext {
  /** The site's sender; undefined while mail isn't set up. */
  readonly sender: () => string | undefined;
}

/** The `text` of a queued message. */
const queuedSchema = v.object({
  submission: v.string(),
  change: v.picklist(["booked", "moved", "cancelled", "declined"]),
  isOwners: v.boolean(),
  booking: v.nullable(bookingSchema),
  line: v.string(),
});

type Queued = v.InferOutput<typeof queuedSchema>;

export function callMessages(context: CallMessagesContext) {
  const { store, recipients } = context;
  return {
    /** To the visitor, about a change. */
    toVisitor: (change: CallChange, submission: Submission, booking: Booking) =>
      queue({ ...base(submission), change, booking, isOwners: false }, booking.to, {
        about: `call ${booking.id} ${booking.sequence} ${change}`,
        replyTo: store.of(entities.site).read().value.contactEmail ?? recipients()[0] ?? null,
      }),
    /** To each owner who gets email: a visitor chose a time. */
    toOwners: (submission: Submission, booking: Booking) =>
      recipients().map((to) =>
        queue({ ...base(submission), change: "booked", booking, isOwners: true }, to, {
          about: `call ${booking.id}`,
          // Erasures find messages about a person by it.
          replyTo: booking.to,
        }),
      ),
    /** To each owner: none suits, with the visitor's line, which may be empty. */
    toOwnersDeclined: (
      submission: Submission,
      reply: { readonly id: string; readonly to: string },
      line: string,
    ) =>
      recipients().map((to) =>
        queue({ ...base(submission), change: "declined", isOwners: true, line }, to, {
          about: `call ${reply.id}`,
          replyTo: reply.to,
        }),
      ),
    write: (message: StoredMessage) => writeQueued(context, message),
  };
}

async function writeQueued(context: CallMessagesContext, message: StoredMessage) {
  const { store, clock, stationery } = context;
  const queued = v.parse(queuedSchema, JSON.parse(message.text));
  const { booking, change, isOwners, line } = queued;
  // A cancellation is sent even if the enquiry is deleted: it contains nothing from it.
  if (change === "cancelled" && booking !== null) return writeVisitor(context, change, booking, []);
  const submission = await store.of(entities.formSubmissions).get(queued.submission);
  if (!submission) throw new NothingToSend(SUBMISSION_DELETED);
  if (booking === null || change === "declined")
    return noneMessage(stationery(), store, submission, line);
  if (!isOwners) return writeVisitor(context, change, booking, submission.questions);
  const content = ownersMessage(stationery(), store, submission, booking, clock());
  return withFile(context, content, booking, {
    summary: summaryOf(store, submission),
    location: booking.where.text,
  });
}

function writeVisitor(
  context: CallMessagesContext,
  change: CallChange,
  booking: Booking,
  questions: Submission["questions"],
) {
  const site = context.stationery();
  const translation = wordsFor(site.language);
  const content = visitorsMessage(site, change, booking, { now: context.clock(), questions });
  return withFile(context, content, booking, {
    summary: fill(translation.words.times.booked, { name: site.siteName }),
    location: describeLocation(booking, site.siteName, translation),
    isCanceled: change === "cancelled",
  });
}

async function withFile(
  { store, stationery, sender }: CallMessagesContext,
  content: MessageContent,
  booking: Booking,
  entry: Omit<CallEntryOptions, "host">,
) {
  const { siteName: name, siteUrl } = stationery();
  const email = sender();
  const file = await calendarWriter();
  const host = calendarHost(siteUrl, store.siteId);
  const organizer = email === undefined ? undefined : { name, email };
  const entries = [callEntry(booking, { host, organizer, ...entry })];
  return { ...content, calendar: file({ product: "Calls", isPublished: true }, entries) };
}

const SUBJECTS = {
  booked: "Call booked",
  moved: "Call rescheduled",
  cancelled: "Call canceled",
  declined: "None of your times work",
} as const;

const queue = (
  queued: Queued,
  to: string,
  more: Pick<NewMessage, "about" | "replyTo">,
): NewMessage => ({
  kind: "call",
  to,
  // Shown in the list of messages; the message itself has the details.
  subject: SUBJECTS[queued.change],
  text: JSON.stringify(queued),
  html: "",
  ...more,
});

const base = ({ id }: Submission) => ({ submission: id, line: "", booking: null });

/** {name}, {form}: no answers except the name. */
export function summaryOf(store: Store, submission: Submission): string {
  const { formName, questions } = enquirySummary(store, submission);
  return `${findName(questions) ?? "Someone"}, ${formName}`;
}

function visitorsMessage(
  site: MessageBranding,
  change: CallChange,
  booking: Booking,
  { now, questions }: { readonly now: number; readonly questions: Submission["questions"] },
): MessageContent {
  const translation = wordsFor(site.language);
  const { times, mail } = translation.words;
  const name = site.siteName;
  const title = fill(times[change], { name });
  const start = callStart(booking);
  const time = formatDateTime(start, booking.zone, translation.locale, now);
  const recipientTime = timeInRecipientZone(booking, questions, translation);
  const foot = fill(mail.replyFoot, { name });
  const blocks =
    change === "cancelled"
      ? [text(fill(times.cancelledText, { time })), small(times.changed)]
      : [
          text(
            [
              `${time} (${formatZone(start, booking.zone, translation)})`,
              ...(recipientTime === undefined ? [] : [recipientTime]),
              fill(times.minutes, { minutes: booking.minutes }),
              describeLocation(booking, name, translation),
            ].join("\n"),
          ),
          small(change === "booked" ? times.attached : times.changed),
        ];
  return { subject: title, ...renderMessage({ ...site, title, blocks, foot }) };
}

function ownersMessage(
  site: MessageBranding,
  store: Store,
  submission: Submission,
  booking: Booking,
  now: number,
): MessageContent {
  const english = wordsFor("en");
  const start = callStart(booking);
  const time = formatDateTime(start, booking.zone, "en", now);
  const { how, text: where } = booking.where;
  const blocks = [
    text(
      [
        summaryOf(store, submission),
        `${time} (${formatZone(start, booking.zone, english)})`,
        `${booking.minutes} minutes`,
        how === "call" ? `Call them${where && ` at ${where}`}.` : where,
      ].join("\n"),
    ),
    ...dashboardButton(site, "Open in the dashboard", pathOf(submission)),
    small("Open the attached file to add it to your calendar."),
  ];
  const firstName = firstNameIn(submission.questions);
  return renderOwnerMessage(site, `${firstName} chose ${time}`, blocks, YOU_SUGGESTED);
}

function noneMessage(
  site: MessageBranding,
  store: Store,
  submission: Submission,
  line: string,
): MessageContent {
  const blocks = [
    text(`${summaryOf(store, submission)}: none of the times you suggested work.`),
    ...(line === "" ? [] : [quote(line)]),
    ...dashboardButton(site, "Open in the dashboard", pathOf(submission)),
  ];
  const firstName = firstNameIn(submission.questions);
  return renderOwnerMessage(
    site,
    `None of your times work for ${firstName}`,
    blocks,
    YOU_SUGGESTED,
  );
}

const YOU_SUGGESTED =
  "You're receiving this because you suggested times in a reply to a submission.";
