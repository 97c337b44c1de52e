/**
 * The recipients of messages about a new enquiry: the owner by mail at once or daily and on devices, the visitor, a
 * webhook. The messages are stored together with the enquiry.
 */
import { entities, type Item } from "../../schema/index.ts";
import { lastHour } from "../shared/clock.ts";
import { isRefusal } from "../shared/errors.ts";
import { storeTimeZone } from "../shared/siteZone.ts";
import type { Store, Transaction } from "../storage/store.ts";
import {
  limitedPerHour,
  MAX_MESSAGES_PER_HOUR,
  rangeOf,
  readRange,
  createdBetween,
  restOf,
  STORED_WITHIN,
  wereMany,
} from "../notifications/hourlyLimit.ts";
import { type EnquiryListener, type Notify, notifyOf } from "../notifications/listener.ts";
import { NothingToSend } from "../mail/carriers/deliveryError.ts";
import type { StoredMessage } from "../mail/queue/kinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  digestMessage,
  digestSubject,
  enquiryMessage,
  enquirySummary,
  SUBMISSION_DELETED,
  type OwnerMailContext,
  restSubject,
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

export function enquiryStore({
  outbox,
  settings,
  log,
  listeners,
}: EnquiryStoreContext): StoreEnquiry {
  async function messagesFor(submission: Submission, notify: Notify): Promise<NewMessage[]> {
    const outcomes = await Promise.allSettled(
      listeners.map(async (each) => each(submission, notify)),
    );
    if (outcomes.some(({ status }) => status === "rejected")) log(NOT_WRITTEN);
    return outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  }
  const insert = (submission: Submission, messages: readonly NewMessage[], notify: Notify) =>
    outbox.addWith(async (transaction) => {
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
      log(NOT_WRITTEN);
      await insert(submission, [], "at once");
    }
  }
  return (submission) =>
    insertWithMessages(submission, notifyOf(settings.read().value, submission.createdAt));
}

const NOT_WRITTEN =
  "A notification of a submission couldn't be queued. The submission is in the dashboard.";

/** Mail to the owner at once, if they want that. */
export function ownerMail(context: OwnerMailContext): EnquiryListener {
  const { store, stationery, recipients, isSetUp } = context;
  return limitedPerHour(context, {
    kind: "enquiry",
    recipients: (_, notify) => (isSetUp() && notify === "at once" ? recipients() : []),
    single: (submission) => ({
      ...enquiryMessage(stationery(), enquirySummary(store, submission)),
      kind: "enquiry",
    }),
    rest: () => ({ kind: "digest", subject: restSubject(stationery()) }),
  });
}

/** The notice for a day after more enquiries arrived in an hour than are notified of one by one. */
export const crowdNotices = async ({
  store,
  clock,
}: Pick<OwnerMailContext, "store" | "clock">): Promise<Notice[]> =>
  (await wereMany(store, clock() - DAY)) ? [CROWD] : [];

const CROWD: Notice = {
  code: "enquiry_crowd",
  title: "Many submissions in an hour",
  message: `After ${MAX_MESSAGES_PER_HOUR} notifications in an hour, the rest arrive together at the end of the hour. All submissions are in the Forms tab. If you weren't expecting this many, a bot may be sending them.`,
};

const DAILY_FOOT = "You asked for one email a day about new submissions.";
const REST_FOOT = `After ${MAX_MESSAGES_PER_HOUR} emails in an hour, the remaining submissions of that hour are sent in one email.`;

/** The hour of the daily message, in the site's time zone. */
const DIGEST_HOUR = 7;

export function dailyMail(context: OwnerMailContext) {
  const { store, clock, outbox, settings, stationery, recipients, isSetUp } = context;
  /** Messages about all since the last one, which it is the end of. */
  async function messagesUntil(due: number, { since, digestAt }: Settings, within: Transaction) {
    const last = Math.max(...[digestAt, since].map((time) => Date.parse(time ?? "") || 0));
    if (!isSetUp() || last >= due) return [];
    const keys = await within.of(entities.formSubmissions).keys(createdBetween(last, due));
    const testimonials = (await within.of(entities.testimonials).read()).value;
    const written = writtenBetween(testimonials, last, due).length;
    if (keys.length + written === 0) return [];
    const subject = digestSubject(stationery(), keys.length, written);
    const message = { kind: "digest", subject, text: "", html: "", isOnce: true } as const;
    return recipients().map((to) => ({ ...message, to, about: rangeOf(last, due) }));
  }
  return {
    /** Written on sending, so that nobody erased in the meantime is in it. */
    async write({ about, to }: Pick<StoredMessage, "about" | "to">) {
      const rest = await restOf(store, { about, to });
      const { from, before } = readRange(about ?? "");
      const submissionsLeft = rest
        ? await submissionsWhere(store, { id: { oneOf: rest } })
        : await submissionsWhere(store, createdBetween(from, before));
      const testimonials = store.of(entities.testimonials).read().value;
      const written = rest ? [] : writtenBetween(testimonials, from, before);
      if (submissionsLeft.length + written.length === 0)
        throw new NothingToSend(SUBMISSION_DELETED);
      const enquiries = submissionsLeft.map((each) => enquirySummary(store, each));
      return digestMessage(stationery(), enquiries, written, rest ? REST_FOOT : DAILY_FOOT);
    },
    /** Queues it once its hour has come. */
    async look() {
      const due = lastHour(clock() - STORED_WITHIN, DIGEST_HOUR, storeTimeZone(store));
      const isDue = ({ notify, digestAt }: Settings) =>
        notify === "daily" && (Date.parse(digestAt ?? "") || 0) < due;
      if (!isSetUp() || !isDue(settings.read().value)) return;
      await outbox.addWith(async (transaction) => {
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
      outbox.addWith(async (transaction) => {
        const document = transaction.of(entities.mailSettings);
        const { value: before } = await document.read();
        const { value: after } = await document.update(change);
        const isEnding = before.notify === "daily" && after.notify === "at once";
        return isEnding ? messagesUntil(clock(), before, transaction) : [];
      }),
  };
}

/** Oldest first. */
const submissionsWhere = (store: Store, where: SubmissionsWhere): Promise<Submission[]> =>
  Array.fromAsync(store.of(entities.formSubmissions).scan({ where }));

type SubmissionsWhere =
  ReturnType<typeof createdBetween> | { readonly id: { readonly oneOf: ReadonlySet<string> } };

/** Testimonials received between two points in time. */
const writtenBetween = (all: readonly Item<"testimonials">[], from: number, before: number) =>
  all.filter(({ receivedAt }) => {
    const at = Date.parse(receivedAt ?? "");
    return at >= from && at < before;
  });
