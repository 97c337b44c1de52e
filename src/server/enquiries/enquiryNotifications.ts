/**
 * Who gets messages about a new enquiry: the owner by mail at once or daily and on devices, the visitor, a webhook. The
 * messages are stored together with the enquiry; the next look writes those that failed.
 */
import { entities, type Item } from "../../schema/index.ts";
import { type Clock, isoTime, lastHour } from "../shared/clock.ts";
import { isRefusal } from "../shared/errors.ts";
import type { ShouldContinue } from "../shared/periodicJob.ts";
import { storeTimeZone } from "../shared/siteZone.ts";
import type { Store } from "../storage/store.ts";
import {
  limitedPerHour,
  MAX_MESSAGES_PER_HOUR,
  rangeOf,
  readRange,
  receivedWithin,
  restOf,
  wereMany,
} from "../notifications/hourlyLimit.ts";
import type { EnquiryListener } from "../notifications/listener.ts";
import { DeliveryError } from "../mail/carriers/deliveryError.ts";
import type { MessageRenderer } from "../mail/queue/kinds.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
import {
  digestMessage,
  digestSubject,
  enquiryMessage,
  enquirySummary,
  GONE,
  type OwnerMailContext,
  restSubject,
} from "../mail/messages/ownerMessages.ts";
import type { Notice } from "../shared/notice.ts";
import { DAY, HOUR } from "../shared/time.ts";

type Submission = Item<"formSubmissions">;

export interface EnquiryNews {
  /** Stores an enquiry and the messages about it: both or nothing. Throws 409 if its id is there, `cannot_store`. */
  store(submission: Submission): Promise<void>;
  /** Writes missing messages: they failed at first, or the owner's choice of messages has changed. */
  look(goesOn: ShouldContinue): Promise<void>;
}

interface EnquiryNewsContext {
  readonly outbox: Outbox;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly listeners: readonly EnquiryListener[];
}

/** No messages are written about older enquiries any more. */
const MAX_NOTIFICATION_AGE_MS = 2 * DAY;

export function enquiryNews(context: EnquiryNewsContext): EnquiryNews {
  const { store, clock, outbox, log, listeners } = context;
  async function written(submission: Submission): Promise<NewMessage[]> {
    const pending = listeners.map(async (each) =>
      each.startsAt() === undefined ? [] : each.messages(submission),
    );
    const outcomes = await Promise.allSettled(pending);
    if (outcomes.some(({ status }) => status === "rejected")) log(NOT_WRITTEN);
    return outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  }

  const insert = (submission: Submission, messages: readonly NewMessage[]) =>
    outbox.addWith(async (transaction) => {
      await transaction.of(entities.formSubmissions).insert(submission);
      return messages;
    });

  return {
    async store(submission) {
      try {
        await insert(submission, await written(submission));
      } catch (error) {
        // No enquiry is refused because of a message.
        if (!isRefusal(error, "invalid_value")) throw error;
        log(NOT_WRITTEN);
        await insert(submission, []);
      }
    },
    async look(goesOn) {
      /* oxlint-disable no-await-in-loop -- in order of arrival */
      for (const listener of listeners) {
        const from = listener.startsAt();
        if (from === undefined) continue;
        const late = Math.max(from, clock() - MAX_NOTIFICATION_AGE_MS);
        for (const submission of await submissionsWhere(store, receivedWithin(late))) {
          if (!(await goesOn())) return;
          for (const message of await listener.messages(submission)) await outbox.add(message);
        }
      }
      /* oxlint-enable no-await-in-loop */
    },
  };
}

const NOT_WRITTEN =
  "An email about a submission couldn't be queued. Limelight will try again in a minute.";

/** Mail to the owner at once, if they want that. */
export function ownerMail(context: OwnerMailContext): EnquiryListener {
  const { store, clock, settings, stationery, recipients, isSetUp } = context;
  return {
    startsAt() {
      const { notify, since } = settings.read().value;
      return isSetUp() && notify === "at once" ? Date.parse(since ?? "") || clock() : undefined;
    },
    messages: limitedPerHour(context, {
      kind: "enquiry",
      recipients,
      single: (submission) => ({
        ...enquiryMessage(stationery(), enquirySummary(store, submission)),
        kind: "enquiry",
      }),
      rest: () => ({ kind: "digest", subject: restSubject(stationery()) }),
    }),
  };
}

/** The notice for a day after more enquiries came in an hour than are notified of one by one. */
export const crowdNotices = (
  context: Pick<OwnerMailContext, "clock" | "outbox">,
  recipients: readonly string[],
): Notice[] => (wereMany(context, recipients, DAY / HOUR) ? [CROWD] : []);

const CROWD: Notice = {
  code: "enquiry_crowd",
  title: "Many submissions in an hour",
  message: `After ${MAX_MESSAGES_PER_HOUR} notifications in an hour, the rest arrive together at the end of the hour. All submissions are in the Forms tab. If you haven't announced anything, a program may be sending them.`,
};

/**
 * Records how and to whom messages about enquiries go, before any do: after a change nobody gets messages about older
 * ones, except about those that the daily message would have included.
 */
export async function recordNotificationChoice(context: OwnerMailContext): Promise<void> {
  const { clock, settings, recipients, isSetUp } = context;
  const { notify, toldTo: before } = settings.read().value;
  const toldTo = { notify, recipients: [...recipients()] };
  const isKnown = toldTo.recipients.length === 0 || Bun.deepEquals(toldTo, before);
  if (!isSetUp() || isKnown) return;
  const now = isoTime(clock);
  await settings.update((value) => {
    const noted = { ...value, toldTo };
    if (before === null) return noted;
    if (notify === "daily") return before.notify === "daily" ? noted : { ...noted, digestAt: now };
    if (before.notify !== "daily" || notify === "off") return { ...noted, since: now };
    // What the daily message hasn't included yet: digestAt never precedes its choice.
    return { ...noted, since: value.digestAt ?? value.since };
  });
}

const DAILY_FOOT = "You asked for one email a day about new submissions.";
const REST_FOOT = `After ${MAX_MESSAGES_PER_HOUR} emails in an hour, the remaining submissions of that hour are sent in one email.`;

/** The hour of the daily message, in the site's time zone. */
const DIGEST_HOUR = 7;

/** The owner's daily message. */
interface DailyMail {
  /** Written on sending, so that nobody erased in the meantime is in it. */
  readonly write: MessageRenderer;
  /** Queues it once its hour has come. */
  look(): Promise<void>;
}

export function dailyMail(context: OwnerMailContext): DailyMail {
  const { store, clock, outbox, settings, stationery, recipients, isSetUp } = context;
  return {
    async write({ about, to }) {
      const rest = await restOf(context, { about, to });
      const { from, before } = readRange(about ?? "");
      const found = rest
        ? await submissionsWhere(store, { id: { oneOf: rest } })
        : await submissionsWhere(store, receivedWithin(from, before));
      const written = rest ? [] : writtenFrom(store, from, before);
      if (found.length + written.length === 0)
        throw new DeliveryError("recipient", GONE, null, true);
      const enquiries = found.map((each) => enquirySummary(store, each));
      return digestMessage(stationery(), enquiries, written, rest ? REST_FOOT : DAILY_FOOT);
    },
    async look() {
      const { notify, since, digestAt } = settings.read().value;
      const due = lastHour(clock(), DIGEST_HOUR, storeTimeZone(store));
      const last = Math.max(...[digestAt, since].map((moment) => Date.parse(moment ?? "") || 0));
      if (!isSetUp() || notify !== "daily" || last >= due) return;
      const { length: count } = await store
        .of(entities.formSubmissions)
        .keys(receivedWithin(last, due));
      const written = writtenFrom(store, last, due).length;
      if (count + written > 0) {
        const about = rangeOf(last, due);
        const message = {
          subject: digestSubject(stationery(), count, written),
          text: "",
          html: "",
          about,
        };
        for (const to of recipients())
          await outbox.add({ ...message, kind: "digest", to, isOnce: true }); // oxlint-disable-line no-await-in-loop -- at most the owners
      }
      await settings.update((value) => ({ ...value, digestAt: new Date(due).toISOString() }));
    },
  };
}

/** Oldest first. */
const submissionsWhere = (store: Store, where: SubmissionsWhere): Promise<Submission[]> =>
  Array.fromAsync(store.of(entities.formSubmissions).scan({ where }));

type SubmissionsWhere =
  ReturnType<typeof receivedWithin> | { readonly id: { readonly oneOf: ReadonlySet<string> } };

/** Testimonials received between two moments. */
const writtenFrom = (store: Store, from: number, before: number): Item<"testimonials">[] =>
  store
    .of(entities.testimonials)
    .read()
    .value.filter(({ receivedAt }) => {
      const at = Date.parse(receivedAt ?? "");
      return at >= from && at < before;
    });
