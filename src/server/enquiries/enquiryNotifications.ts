/**
 * The recipients of messages about a new enquiry: the owner by mail at once or daily and on devices, the visitor, a
 * webhook. The messages are stored together with the enquiry.
 */
import { entities, type Item } from "../../schema/index.ts";
import { lastOccurrenceOfHour } from "../shared/clock.ts";
import { isRefusal } from "../shared/errors.ts";
import { getStoreTimeZone } from "../shared/siteZone.ts";
import type { Store, Transaction } from "../storage/store.ts";
import {
  createHourlyLimitedListener,
  MAX_MESSAGES_PER_HOUR,
  formatRange,
  parseRange,
  createdBetweenFilter,
  overflowIds,
  MAX_STORE_DELAY_MS,
  hadOverflow,
} from "../notifications/hourlyLimit.ts";
import { type EnquiryListener, type Notify, notifyOf } from "../notifications/listener.ts";
import { NothingToSend } from "../mail/carriers/deliveryError.ts";
import type { StoredMessage } from "../mail/queue/kinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  createDigestMessage,
  digestSubject,
  createEnquiryMessage,
  createEnquirySummary,
  SUBMISSION_DELETED_MESSAGE,
  type OwnerMailContext,
  overflowSubject,
} from "../mail/messages/ownerMessages.ts";
import type { Notice } from "../shared/notice.ts";
import { DAY } from "../shared/time.ts";

type Submission = Item<"formSubmissions">;
type Settings = Item<"mailSettings">;

interface EnquiryStoreContext extends Pick<OwnerMailContext, "outbox" | "settings"> {
  readonly log: (line: string) => void;
  readonly listeners: readonly EnquiryListener[];
}

/** Stores an enquiry and the messages about it: both or nothing. Throws 409 if its id exists, `cannot_store`. */
type StoreEnquiry = (submission: Submission) => Promise<void>;

/** The owner chose "right away" while the messages were being written. */
class NotifiedAtOnce extends Error {}

export function createEnquiryStore({
  outbox,
  settings,
  log,
  listeners,
}: EnquiryStoreContext): StoreEnquiry {
  async function messagesFor(submission: Submission, notify: Notify): Promise<NewMessage[]> {
    const outcomes = await Promise.allSettled(
      listeners.map(async (each) => each(submission, notify)),
    );
    if (outcomes.some(({ status }) => status === "rejected")) log(NOT_QUEUED_MESSAGE);
    return outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  }
  const insert = (submission: Submission, messages: readonly NewMessage[], notify: Notify) =>
    outbox.addInTransaction(async (transaction) => {
      const { value } = await transaction.of(entities.mailSettings).read();
      if (notify !== "at once" && notifyOf(value, submission.createdAt) === "at once")
        throw new NotifiedAtOnce();
      await transaction.of(entities.formSubmissions).insert(submission);
      return messages;
    });
  async function insertWithMessages(submission: Submission, notify: Notify): Promise<void> {
    try {
      await insert(submission, await messagesFor(submission, notify), notify);
    } catch (error) {
      if (error instanceof NotifiedAtOnce) return insertWithMessages(submission, "at once");
      // No enquiry is refused because of a message.
      if (!isRefusal(error, "invalid_value")) throw error;
      log(NOT_QUEUED_MESSAGE);
      await insert(submission, [], "at once");
    }
  }
  return (submission) =>
    insertWithMessages(submission, notifyOf(settings.read().value, submission.createdAt));
}

const NOT_QUEUED_MESSAGE =
  "A notification of a submission couldn't be queued. The submission is in the dashboard.";

/** Mail to the owner at once, if they want that. */
export function createOwnerMail(context: OwnerMailContext): EnquiryListener {
  const { store, stationery, recipients, isSetUp } = context;
  return createHourlyLimitedListener(context, {
    kind: "enquiry",
    recipients: (_, notify) => (isSetUp() && notify === "at once" ? recipients() : []),
    single: (submission) => ({
      ...createEnquiryMessage(stationery(), createEnquirySummary(store, submission)),
      kind: "enquiry",
    }),
    rest: () => ({ kind: "digest", subject: overflowSubject(stationery()) }),
  });
}

/** The notice for a day after more enquiries arrived in an hour than are notified of one by one. */
export const floodNotices = async ({
  store,
  clock,
}: Pick<OwnerMailContext, "store" | "clock">): Promise<Notice[]> =>
  (await hadOverflow(store, clock() - DAY)) ? [FLOOD_NOTICE] : [];

const FLOOD_NOTICE: Notice = {
  code: "enquiry_crowd",
  title: "Many submissions in an hour",
  message: `After ${MAX_MESSAGES_PER_HOUR} notifications in an hour, the rest arrive together at the end of the hour. All submissions are in the Forms tab. If you weren't expecting this many, a bot may be sending them.`,
};

const DAILY_FOOT = "You asked for one email a day about new submissions.";
const OVERFLOW_FOOT = `After ${MAX_MESSAGES_PER_HOUR} emails in an hour, the remaining submissions of that hour are sent in one email.`;

/** The hour of the daily message, in the site's time zone. */
const DIGEST_HOUR = 7;

export function createDailyMail(context: OwnerMailContext) {
  const { store, clock, outbox, settings, stationery, recipients, isSetUp } = context;
  /** Messages about all since the last one, which it is the end of. */
  async function messagesUntil(due: number, { since, digestAt }: Settings, within: Transaction) {
    const last = Math.max(...[digestAt, since].map((time) => Date.parse(time ?? "") || 0));
    if (!isSetUp() || last >= due) return [];
    const keys = await within.of(entities.formSubmissions).keys(createdBetweenFilter(last, due));
    const testimonials = (await within.of(entities.testimonials).read()).value;
    const written = writtenBetween(testimonials, last, due).length;
    if (keys.length + written === 0) return [];
    const subject = digestSubject(stationery(), keys.length, written);
    const message = { kind: "digest", subject, text: "", html: "", isOnce: true } as const;
    return recipients().map((to) => ({ ...message, to, about: formatRange(last, due) }));
  }
  return {
    /** Written on sending, so that nobody erased in the meantime is in it. */
    async write({ about, to }: Pick<StoredMessage, "about" | "to">) {
      const rest = await overflowIds(store, { about, to });
      const { from, before } = parseRange(about ?? "");
      const submissionsLeft = rest
        ? await findSubmissions(store, { id: { oneOf: rest } })
        : await findSubmissions(store, createdBetweenFilter(from, before));
      const testimonials = store.of(entities.testimonials).read().value;
      const written = rest ? [] : writtenBetween(testimonials, from, before);
      if (submissionsLeft.length + written.length === 0)
        throw new NothingToSend(SUBMISSION_DELETED_MESSAGE);
      const enquiries = submissionsLeft.map((each) => createEnquirySummary(store, each));
      const foot = rest ? OVERFLOW_FOOT : DAILY_FOOT;
      return createDigestMessage(stationery(), enquiries, written, foot);
    },
    /** Queues it once its hour has come. */
    async look() {
      const zone = getStoreTimeZone(store);
      const due = lastOccurrenceOfHour(clock() - MAX_STORE_DELAY_MS, DIGEST_HOUR, zone);
      const isDue = ({ notify, digestAt }: Settings) =>
        notify === "daily" && (Date.parse(digestAt ?? "") || 0) < due;
      if (!isSetUp() || !isDue(settings.read().value)) return;
      await outbox.addInTransaction(async (transaction) => {
        const document = transaction.of(entities.mailSettings);
        const { value } = await document.read();
        if (!isDue(value)) return [];
        const messages = await messagesUntil(due, value, transaction);
        await document.update((each) => ({ ...each, digestAt: new Date(due).toISOString() }));
        return messages;
      });
    },
    /** Changes the settings; if the owner no longer waits for the daily message, it is queued with that. */
    saveSettings: (change: (value: Settings) => Settings) =>
      outbox.addInTransaction(async (transaction) => {
        const document = transaction.of(entities.mailSettings);
        const { value: before } = await document.read();
        const { value: after } = await document.update(change);
        const isEnding = before.notify === "daily" && after.notify === "at once";
        return isEnding ? messagesUntil(clock(), before, transaction) : [];
      }),
  };
}

/** Oldest first. */
const findSubmissions = (store: Store, where: SubmissionFilter): Promise<Submission[]> =>
  Array.fromAsync(store.of(entities.formSubmissions).scan({ where }));

type SubmissionFilter =
  | ReturnType<typeof createdBetweenFilter>
  | { readonly id: { readonly oneOf: ReadonlySet<string> } };

/** Testimonials received between two points in time. */
const writtenBetween = (all: readonly Item<"testimonials">[], from: number, before: number) =>
  all.filter(({ receivedAt }) => {
    const at = Date.parse(receivedAt ?? "");
    return at >= from && at < before;
  });
