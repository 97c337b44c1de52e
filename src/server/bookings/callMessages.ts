/**
 * Messages about calls: to the visitor and the owners about a booking, only to the visitor about a change, and only to
 * the owners if no time suits. A message's text and calendar file are created when it is sent.
 */
import * as v from "valibot";
import { type Booking, bookingSchema } from "../../schema/enquiry/calls.ts";
import type { StoredReply } from "../../schema/enquiry/visitors.ts";
import { entities, type Item } from "../../schema/index.ts";
import { getWords } from "../../web/words/allWords.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import {
  getCalendarHost,
  type CalendarEntry,
  createCalendarWriter,
} from "../shared/calendarFile.ts";
import { computeCallEnd, computeCallStart } from "../shared/callTimes.ts";
import type { MessageBranding } from "../shared/message.ts";
import type { Sender } from "../shared/mailUrl.ts";
import type { Store } from "../storage/store.ts";
import { NothingToSendError } from "../mail/transports/deliveryError.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import {
  createEnquirySummary,
  SUBMISSION_DELETED_MESSAGE,
  createDashboardButtonBlocks,
  findName,
  createEnquiryPath,
  createQuoteBlock,
  createSmallTextBlock,
  createTextBlock,
  type MessageContent,
  type OwnerMailContext,
  renderOwnerMessage,
} from "../mail/messages/ownerMessages.ts";
import type { StoredMessage } from "../mail/queue/messageKinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  formatTimeInRecipientZone,
  formatDateTime,
  describeLocation,
  formatZone,
} from "../shared/formatCall.ts";
import { getVisitorName } from "./suggestedTimes.ts";

type Submission = Item<"formSubmissions">;

type CallChange = "booked" | "moved" | "cancelled";

export type CallMessages = ReturnType<typeof createCallMessages>;

interface CallMessagesContext extends OwnerMailContext {
  /** Returns undefined while mail isn't set up. */
  readonly getSendingAccount: () => { readonly from: Sender } | undefined;
}

/** The content of a queued message, stored as JSON in its `text`. */
const queuedCallSchema = v.object({
  submission: v.string(),
  change: v.picklist(["booked", "moved", "cancelled", "declined"]),
  isOwners: v.boolean(),
  booking: v.nullable(bookingSchema),
  /** What the visitor wrote when declining all times; may be empty. */
  line: v.string(),
});

type QueuedCallMessage = v.InferOutput<typeof queuedCallSchema>;

export function createCallMessages(context: CallMessagesContext) {
  const { store, listRecipients } = context;
  /** Creates the messages to all owners who get email. An erasure finds these messages by their `replyTo`. */
  const createMessagesToOwners = (
    content: Omit<QueuedCallMessage, "isOwners">,
    envelope: Pick<NewMessage, "about" | "replyTo">,
  ) =>
    listRecipients().map((to) =>
      createQueuedMessage({ ...content, isOwners: true }, { to, ...envelope }),
    );
  return {
    createVisitorNotification: (change: CallChange, { id }: Submission, booking: Booking) =>
      createQueuedMessage(
        { submission: id, change, booking, isOwners: false, line: "" },
        {
          to: booking.to,
          about: `call ${booking.id} ${booking.sequence} ${change}`,
          replyTo: store.of(entities.site).read().value.contactEmail ?? listRecipients()[0] ?? null,
        },
      ),
    createOwnerNotifications: ({ id }: Submission, booking: Booking) =>
      createMessagesToOwners(
        { submission: id, change: "booked", booking, line: "" },
        { about: `call ${booking.id}`, replyTo: booking.to },
      ),
    createDeclineNotifications: ({ id }: Submission, reply: StoredReply, line: string) =>
      createMessagesToOwners(
        { submission: id, change: "declined", booking: null, line },
        { about: `call ${reply.id}`, replyTo: reply.to },
      ),
    renderMessage: (message: StoredMessage) => renderQueuedMessage(context, message),
  };
}

async function renderQueuedMessage(context: CallMessagesContext, message: StoredMessage) {
  const { store, clock, getBranding } = context;
  const queuedMessage = v.parse(queuedCallSchema, JSON.parse(message.text));
  const { booking, change, isOwners, line } = queuedMessage;
  // A cancellation is sent even if the enquiry was deleted, because the message contains nothing from the enquiry.
  if (change === "cancelled" && booking !== null)
    return renderVisitorMessage(context, change, booking, []);
  const submission = await store.of(entities.formSubmissions).get(queuedMessage.submission);
  if (!submission) throw new NothingToSendError(SUBMISSION_DELETED_MESSAGE);
  if (booking === null || change === "declined")
    return createDeclineMessage(getBranding(), store, submission, line);
  if (!isOwners) return renderVisitorMessage(context, change, booking, submission.questions);
  const content = createOwnerMessage(getBranding(), store, submission, booking, clock());
  return attachCalendar(context, content, booking, {
    summary: formatSubmissionSummary(store, submission),
    location: booking.where.text,
  });
}

function renderVisitorMessage(
  context: CallMessagesContext,
  change: CallChange,
  booking: Booking,
  questions: Submission["questions"],
) {
  const site = context.getBranding();
  const { siteName: name, language } = site;
  const translation = getWords(language);
  const { callTimes, mail } = translation.words;
  const title = fillPlaceholders(callTimes[change], { name });
  const footer = fillPlaceholders(mail.replyFoot, { name });
  const start = computeCallStart(booking);
  const time = formatDateTime(start, booking.zone, translation.locale, context.clock());
  const location = describeLocation(booking, name, translation);
  const isCanceled = change === "cancelled";
  const recipientTime = formatTimeInRecipientZone(booking, questions, translation);
  const callLines = [
    `${time} (${formatZone(start, booking.zone, translation)})`,
    ...(recipientTime === undefined ? [] : [recipientTime]),
    fillPlaceholders(callTimes.duration, { minutes: booking.minutes }),
    location,
  ];
  const text = isCanceled
    ? fillPlaceholders(callTimes.cancelledText, { time })
    : callLines.join("\n");
  const calendarHint = change === "booked" ? callTimes.addToCalendar : callTimes.updateCalendar;
  const blocks = [createTextBlock(text), createSmallTextBlock(calendarHint)];
  const content = { subject: title, ...renderMessage({ ...site, title, blocks, footer }) };
  const summary = fillPlaceholders(callTimes.booked, { name });
  return attachCalendar(context, content, booking, { summary, location, isCanceled });
}

async function attachCalendar(
  { store, getBranding, getSendingAccount }: CallMessagesContext,
  content: MessageContent,
  booking: Booking,
  entry: Omit<CalendarEntryOptions, "host">,
) {
  const { siteName: name, siteUrl } = getBranding();
  const email = getSendingAccount()?.from.address;
  const formatCalendar = await createCalendarWriter();
  const host = getCalendarHost(siteUrl, store.siteId);
  const organizer = email === undefined ? undefined : { name, email };
  const entries = [createCalendarEntry(booking, { host, organizer, ...entry })];
  return {
    ...content,
    calendar: formatCalendar({ product: "Calls", hasPublishMethod: true }, entries),
  };
}

interface CalendarEntryOptions {
  readonly host: string;
  readonly summary: string;
  readonly location: string;
  readonly isCanceled?: boolean;
  readonly organizer?: CalendarEntry["organizer"];
}

/** Creates a call's calendar entry. Moving the call doesn't change the entry's uid, so calendars update the entry. */
export const createCalendarEntry = (
  booking: Booking,
  options: CalendarEntryOptions,
): CalendarEntry => ({
  uid: `${booking.id}@${options.host}`,
  start: new Date(computeCallStart(booking)),
  end: new Date(computeCallEnd(booking)),
  stamp: new Date(booking.changedAt),
  sequence: booking.sequence,
  summary: options.summary,
  location: options.location || null,
  status: options.isCanceled ? "CANCELLED" : "CONFIRMED",
  ...(options.organizer && { organizer: options.organizer }),
});

const SUBJECTS_BY_CHANGE = {
  booked: "Call booked",
  moved: "Call rescheduled",
  cancelled: "Call canceled",
  declined: "None of your times work",
} as const;

const createQueuedMessage = (
  queuedMessage: QueuedCallMessage,
  envelope: Pick<NewMessage, "to" | "about" | "replyTo">,
): NewMessage => ({
  kind: "call",
  // The dashboard's list of messages shows this subject. The sent message gets a different subject.
  subject: SUBJECTS_BY_CHANGE[queuedMessage.change],
  text: JSON.stringify(queuedMessage),
  html: "",
  ...envelope,
});

/** Summarizes an enquiry as "{name}, {form}", without other answers. */
export function formatSubmissionSummary(store: Store, submission: Submission): string {
  const { formName, questions } = createEnquirySummary(store, submission);
  return `${findName(questions) ?? "Someone"}, ${formName}`;
}

function createOwnerMessage(
  site: MessageBranding,
  store: Store,
  submission: Submission,
  booking: Booking,
  now: number,
): MessageContent {
  const english = getWords("en");
  const start = computeCallStart(booking);
  const time = formatDateTime(start, booking.zone, "en", now);
  const { how, text: where } = booking.where;
  const blocks = [
    createTextBlock(
      [
        formatSubmissionSummary(store, submission),
        `${time} (${formatZone(start, booking.zone, english)})`,
        `${booking.minutes} minutes`,
        how === "call" ? `Call them${where && ` at ${where}`}.` : where,
      ].join("\n"),
    ),
    ...createDashboardButtonBlocks(site, createEnquiryPath(submission)),
    createSmallTextBlock("Open the attached file to add it to your calendar."),
  ];
  const visitorName = getVisitorName(submission.questions);
  return renderOwnerMessage(site, `${visitorName} chose ${time}`, blocks, SUGGESTED_TIMES_FOOT);
}

function createDeclineMessage(
  site: MessageBranding,
  store: Store,
  submission: Submission,
  line: string,
): MessageContent {
  const summary = formatSubmissionSummary(store, submission);
  const blocks = [
    createTextBlock(`${summary}: none of the suggested times work.`),
    ...(line === "" ? [] : [createQuoteBlock(line)]),
    ...createDashboardButtonBlocks(site, createEnquiryPath(submission)),
  ];
  const title = `None of your times work for ${getVisitorName(submission.questions)}`;
  return renderOwnerMessage(site, title, blocks, SUGGESTED_TIMES_FOOT);
}

const SUGGESTED_TIMES_FOOT =
  "You're receiving this because a reply to this submission suggested times for a call.";
