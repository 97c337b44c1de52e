/**
 * Messages about calls: booked, to both; moved or called off, to the visitor; none suits, to the owner. Text and
 * calendar file are written when a message is sent, from what was stored with it.
 */
import * as v from "valibot";
import { type Booking, bookingSchema } from "../../schema/enquiry/calls.ts";
import { entities, type Item } from "../../schema/index.ts";
import { getWords } from "../../web/words/all.ts";
import { fillPlaceholders } from "../../web/words/fill.ts";
import { calendarHost, createCalendarWriter } from "../shared/calendarFile.ts";
import { callStart } from "../shared/callTimes.ts";
import type { MessageBranding } from "../shared/message.ts";
import type { Store } from "../storage/store.ts";
import { NothingToSend } from "../mail/carriers/deliveryError.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import {
  createEnquirySummary,
  SUBMISSION_DELETED_MESSAGE,
  dashboardButtonBlocks,
  findName,
  enquiryPath,
  quoteBlock,
  smallTextBlock,
  textBlock,
  type MessageContent,
  type OwnerMailContext,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";
import type { StoredMessage } from "../mail/queue/kinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import { createCallEntry, type CallEntryOptions } from "./callEntry.ts";
import {
  formatTimeInRecipientZone,
  formatDateTime,
  describeLocation,
  formatZone,
} from "../shared/formatCall.ts";
import { findFirstName } from "./suggestedTimes.ts";

type Submission = Item<"formSubmissions">;

type CallChange = "booked" | "moved" | "cancelled";

export type CallMessages = ReturnType<typeof createCallMessages>;

interface CallMessagesContext extends OwnerMailContext {
  /** The site's sender; undefined while mail isn't set up. */
  readonly findSender: () => string | undefined;
}

/** The `text` of a queued message. */
const queuedCallSchema = v.object({
  submission: v.string(),
  change: v.picklist(["booked", "moved", "cancelled", "declined"]),
  isOwners: v.boolean(),
  booking: v.nullable(bookingSchema),
  line: v.string(),
});

type QueuedCallMessage = v.InferOutput<typeof queuedCallSchema>;

export function createCallMessages(context: CallMessagesContext) {
  const { store, recipients } = context;
  return {
    /** To the visitor, about a change. */
    toVisitor: (change: CallChange, submission: Submission, booking: Booking) =>
      createQueuedMessage(
        { ...messageBase(submission), change, booking, isOwners: false },
        booking.to,
        {
          about: `call ${booking.id} ${booking.sequence} ${change}`,
          replyTo: store.of(entities.site).read().value.contactEmail ?? recipients()[0] ?? null,
        },
      ),
    /** To each owner who gets email: a visitor chose a time. */
    toOwners: (submission: Submission, booking: Booking) =>
      recipients().map((to) =>
        createQueuedMessage(
          { ...messageBase(submission), change: "booked", booking, isOwners: true },
          to,
          {
            about: `call ${booking.id}`,
            // Erasures find messages about a person by it.
            replyTo: booking.to,
          },
        ),
      ),
    /** To each owner: none suits, with the visitor's line, which may be empty. */
    toOwnersDeclined: (
      submission: Submission,
      reply: { readonly id: string; readonly to: string },
      line: string,
    ) =>
      recipients().map((to) =>
        createQueuedMessage(
          { ...messageBase(submission), change: "declined", isOwners: true, line },
          to,
          {
            about: `call ${reply.id}`,
            replyTo: reply.to,
          },
        ),
      ),
    write: (message: StoredMessage) => renderQueued(context, message),
  };
}

async function renderQueued(context: CallMessagesContext, message: StoredMessage) {
  const { store, clock, stationery } = context;
  const queued = v.parse(queuedCallSchema, JSON.parse(message.text));
  const { booking, change, isOwners, line } = queued;
  // A cancellation is sent even if the enquiry is deleted: it contains nothing from it.
  if (change === "cancelled" && booking !== null)
    return renderVisitorMessage(context, change, booking, []);
  const submission = await store.of(entities.formSubmissions).get(queued.submission);
  if (!submission) throw new NothingToSend(SUBMISSION_DELETED_MESSAGE);
  if (booking === null || change === "declined")
    return createNoneSuitsMessage(stationery(), store, submission, line);
  if (!isOwners) return renderVisitorMessage(context, change, booking, submission.questions);
  const content = createOwnerMessage(stationery(), store, submission, booking, clock());
  return attachCalendar(context, content, booking, {
    summary: submissionSummary(store, submission),
    location: booking.where.text,
  });
}

function renderVisitorMessage(
  context: CallMessagesContext,
  change: CallChange,
  booking: Booking,
  questions: Submission["questions"],
) {
  const site = context.stationery();
  const translation = getWords(site.language);
  const content = createVisitorMessage(site, change, booking, { now: context.clock(), questions });
  return attachCalendar(context, content, booking, {
    summary: fillPlaceholders(translation.words.callTimes.booked, { name: site.siteName }),
    location: describeLocation(booking, site.siteName, translation),
    isCanceled: change === "cancelled",
  });
}

async function attachCalendar(
  { store, stationery, findSender }: CallMessagesContext,
  content: MessageContent,
  booking: Booking,
  entry: Omit<CallEntryOptions, "host">,
) {
  const { siteName: name, siteUrl } = stationery();
  const email = findSender();
  const file = await createCalendarWriter();
  const host = calendarHost(siteUrl, store.siteId);
  const organizer = email === undefined ? undefined : { name, email };
  const entries = [createCallEntry(booking, { host, organizer, ...entry })];
  return { ...content, calendar: file({ product: "Calls", isPublished: true }, entries) };
}

const SUBJECTS_BY_CHANGE = {
  booked: "Call booked",
  moved: "Call rescheduled",
  cancelled: "Call canceled",
  declined: "None of your times work",
} as const;

const createQueuedMessage = (
  queued: QueuedCallMessage,
  to: string,
  more: Pick<NewMessage, "about" | "replyTo">,
): NewMessage => ({
  kind: "call",
  to,
  // Shown in the list of messages; the message itself has the details.
  subject: SUBJECTS_BY_CHANGE[queued.change],
  text: JSON.stringify(queued),
  html: "",
  ...more,
});

const messageBase = ({ id }: Submission) => ({ submission: id, line: "", booking: null });

/** {name}, {form}: no answers except the name. */
export function submissionSummary(store: Store, submission: Submission): string {
  const { formName, questions } = createEnquirySummary(store, submission);
  return `${findName(questions) ?? "Someone"}, ${formName}`;
}

function createVisitorMessage(
  site: MessageBranding,
  change: CallChange,
  booking: Booking,
  { now, questions }: { readonly now: number; readonly questions: Submission["questions"] },
): MessageContent {
  const translation = getWords(site.language);
  const { callTimes, mail } = translation.words;
  const name = site.siteName;
  const title = fillPlaceholders(callTimes[change], { name });
  const start = callStart(booking);
  const time = formatDateTime(start, booking.zone, translation.locale, now);
  const recipientTime = formatTimeInRecipientZone(booking, questions, translation);
  const foot = fillPlaceholders(mail.replyFoot, { name });
  const blocks =
    change === "cancelled"
      ? [
          textBlock(fillPlaceholders(callTimes.cancelledText, { time })),
          smallTextBlock(callTimes.updateCalendar),
        ]
      : [
          textBlock(
            [
              `${time} (${formatZone(start, booking.zone, translation)})`,
              ...(recipientTime === undefined ? [] : [recipientTime]),
              fillPlaceholders(callTimes.duration, { minutes: booking.minutes }),
              describeLocation(booking, name, translation),
            ].join("\n"),
          ),
          smallTextBlock(change === "booked" ? callTimes.addToCalendar : callTimes.updateCalendar),
        ];
  return { subject: title, ...renderMessage({ ...site, title, blocks, foot }) };
}

function createOwnerMessage(
  site: MessageBranding,
  store: Store,
  submission: Submission,
  booking: Booking,
  now: number,
): MessageContent {
  const english = getWords("en");
  const start = callStart(booking);
  const time = formatDateTime(start, booking.zone, "en", now);
  const { how, text: where } = booking.where;
  const blocks = [
    textBlock(
      [
        submissionSummary(store, submission),
        `${time} (${formatZone(start, booking.zone, english)})`,
        `${booking.minutes} minutes`,
        how === "call" ? `Call them${where && ` at ${where}`}.` : where,
      ].join("\n"),
    ),
    ...dashboardButtonBlocks(site, "Open in the dashboard", enquiryPath(submission)),
    smallTextBlock("Open the attached file to add it to your calendar."),
  ];
  const firstName = findFirstName(submission.questions);
  return renderOwnerMessage(site, `${firstName} chose ${time}`, blocks, SUGGESTED_TIMES_FOOT);
}

function createNoneSuitsMessage(
  site: MessageBranding,
  store: Store,
  submission: Submission,
  line: string,
): MessageContent {
  const blocks = [
    textBlock(`${submissionSummary(store, submission)}: none of the times you suggested work.`),
    ...(line === "" ? [] : [quoteBlock(line)]),
    ...dashboardButtonBlocks(site, "Open in the dashboard", enquiryPath(submission)),
  ];
  const firstName = findFirstName(submission.questions);
  return renderOwnerMessage(
    site,
    `None of your times work for ${firstName}`,
    blocks,
    SUGGESTED_TIMES_FOOT,
  );
}

const SUGGESTED_TIMES_FOOT =
  "You're receiving this because you suggested times in a reply to a submission.";
