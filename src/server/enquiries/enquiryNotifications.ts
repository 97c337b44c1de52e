/**
 * The recipients of messages about a new enquiry: the owner by mail at once or daily and on devices, the visitor, a
 * webhook. The messages are stored together with the enquiry.
 */
import { entities, type Item } from "../../schema/index.ts";
import { lastHour } from "../shared/clock.ts";
import { isRefusal } from "../shared/errors.ts";
import { storeTimeZone } from "../shared/siteZone.ts";
import type { Store } from "../storage/store.ts";
import {
  limitedPerHour,
  MAX_MESSAGES_PER_HOUR,
  rangeOf,
  readRange,
  createdBetween,
  restOf,
  wereMany,
} from "../notifications/hourlyLimit.ts";
import type { EnquiryListener } from "../notifications/listener.ts";
import { DeliveryError } from "../mail/carriers/deliveryError.ts";
import type { StoredMessage } from "../mail/queue/kinds.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
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

interface EnquiryStoreContext {
  readonly outbox: Outbox;
  readonly log: (line: string) => void;
  readonly listeners: readonly EnquiryListener[];
}

/** Stores an enquiry and the messages about it: both or nothing. Throws 409 if its id exists, `cannot_store`. */
type StoreEnquiry = (submission: Submission) => Promise<void>;

export function enquiryStore({ outbox, log, listeners }: EnquiryStoreContext): StoreEnquiry {
  async function messagesFor(submission: Submission): Promise<NewMessage[]> {
    const outcomes = await Promise.allSettled(listeners.map(async (each) => each(submission)));
    if (outcomes.some(({ status }) => status === "rejected")) log(NOT_WRITTEN);
    return outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  }
  const insert = (submission: Submission, messages: readonly NewMessage[]) =>
    outbox.addWith(async (transaction) => {
      await transaction.of(entities.formSubmissions).insert(submission);
      return messages;
    });
  return async (submission) => {
    try {
      await insert(submission, await messagesFor(submission));
    } catch (error) {
      // No enquiry is refused because of a message.
      if (!isRefusal(error, "invalid_value")) throw error;
      log(NOT_WRITTEN);
      await insert(submission, []);
    }
  };
}

const NOT_WRITTEN =
  "A notification of a submission couldn't be queued. The submission is in the dashboard.";

/** Mail to the owner at once, if they want that. */
export function ownerMail(context: OwnerMailContext): EnquiryListener {
  const { store, settings, stationery, recipients, isSetUp } = context;
  return limitedPerHour(context, {
    kind: "enquiry",
    recipients: () => (isSetUp() && settings.read().value.notify === "at once" ? recipients() : []),
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
  async function queueUntil(due: number): Promise<void> {
    const { notify, since, digestAt } = settings.read().value;
    const last = Math.max(...[digestAt, since].map((time) => Date.parse(time ?? "") || 0));
    if (!isSetUp() || notify !== "daily" || last >= due) return;
    const keys = await store.of(entities.formSubmissions).keys(createdBetween(last, due));
    const written = writtenFrom(store, last, due).length;
    const subject = digestSubject(stationery(), keys.length, written);
    const message = { kind: "digest", subject, text: "", html: "", isOnce: true } as const;
    if (keys.length + written > 0)
      for (const to of recipients())
        await outbox.add({ ...message, to, about: rangeOf(last, due) }); // oxlint-disable-line no-await-in-loop -- at most the owners
    await settings.update((value) => ({ ...value, digestAt: new Date(due).toISOString() }));
  }
  return {
    /** Written on sending, so that nobody erased in the meantime is in it. */
    async write({ about, to }: Pick<StoredMessage, "about" | "to">) {
      const rest = await restOf(store, { about, to });
      const { from, before } = readRange(about ?? "");
      const submissionsLeft = rest
        ? await submissionsWhere(store, { id: { oneOf: rest } })
        : await submissionsWhere(store, createdBetween(from, before));
      const written = rest ? [] : writtenFrom(store, from, before);
      if (submissionsLeft.length + written.length === 0)
        throw new DeliveryError("recipient", SUBMISSION_DELETED, null, true);
      const enquiries = submissionsLeft.map((each) => enquirySummary(store, each));
      return digestMessage(stationery(), enquiries, written, rest ? REST_FOOT : DAILY_FOOT);
    },
    /** Queues it once its hour has come. */
    look: () => queueUntil(lastHour(clock(), DIGEST_HOUR, storeTimeZone(store))),
    /** Queues it now: the owner is about to change how to be notified. */
    finish: () => queueUntil(clock()),
  };
}

/** Oldest first. */
const submissionsWhere = (store: Store, where: SubmissionsWhere): Promise<Submission[]> =>
  Array.fromAsync(store.of(entities.formSubmissions).scan({ where }));

type SubmissionsWhere =
  ReturnType<typeof createdBetween> | { readonly id: { readonly oneOf: ReadonlySet<string> } };

/** Testimonials received between two points in time. */
const writtenFrom = (store: Store, from: number, before: number): Item<"testimonials">[] =>
  store
    .of(entities.testimonials)
    .read()
    .value.filter(({ receivedAt }) => {
      const at = Date.parse(receivedAt ?? "");
      return at >= from && at < before;
    });
