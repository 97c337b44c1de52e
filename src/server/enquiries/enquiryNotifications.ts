/** Stores new enquiries with their notifications, and writes the emails to owners: one per enquiry, or one a day. */
import { entities, type Item } from "../../schema/index.ts";
import { findLastOccurrenceOfHour } from "../shared/clock.ts";
import { isRefusal } from "../shared/errors.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import type { Transaction } from "../storage/store.ts";
import {
  limitMessagesPerHour,
  MAX_MESSAGES_PER_HOUR,
  formatRange,
  parseRange,
  createTimeRangeFilter,
  findOverflowIds,
  MAX_STORE_DELAY_MS,
  hasOverflowSince,
} from "../notifications/hourlyLimit.ts";
import {
  type CreateEnquiryMessages,
  type NotificationFrequency,
  getEffectiveFrequency,
} from "../notifications/notificationContext.ts";
import { NothingToSendError } from "../mail/transports/deliveryError.ts";
import type { StoredMessage } from "../mail/queue/messageKinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  createDigestMessage,
  createDigestSubject,
  createEnquiryMessage,
  createEnquirySummary,
  SUBMISSION_DELETED_MESSAGE,
  type OwnerMailContext,
  createOverflowSubject,
} from "../mail/messages/ownerMessages.ts";
import type { Notice } from "../shared/notice.ts";
import { DAY } from "../shared/time.ts";

const { formSubmissions } = entities;

type Submission = Item<"formSubmissions">;
type Settings = Item<"mailSettings">;

interface EnquiryStoreContext extends Pick<OwnerMailContext, "outbox" | "settings"> {
  readonly log: (line: string) => void;
  readonly messageCreators: readonly CreateEnquiryMessages[];
}

/** Stores an enquiry and the messages about it, all or nothing. Throws a 409 if its id exists, or `cannot_store`. */
type StoreEnquiry = (submission: Submission) => Promise<void>;

/** Thrown if an owner chose "right away" while messages were being created. They are then created again. */
class FrequencyChangedError extends Error {}

export function createEnquiryStore(context: EnquiryStoreContext): StoreEnquiry {
  const { outbox, settings, log, messageCreators } = context;
  async function createMessages(
    submission: Submission,
    frequency: NotificationFrequency,
  ): Promise<NewMessage[]> {
    const outcomes = await Promise.allSettled(
      messageCreators.map(async (each) => each(submission, frequency)),
    );
    if (outcomes.some(({ status }) => status === "rejected")) log(NOT_QUEUED_MESSAGE);
    return outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  }
  const insert = (
    submission: Submission,
    messages: readonly NewMessage[],
    frequency: NotificationFrequency,
  ) =>
    outbox.addInTransaction(async (transaction) => {
      const { value } = await transaction.of(entities.mailSettings).read();
      if (
        frequency !== "at once" &&
        getEffectiveFrequency(value, submission.createdAt) === "at once"
      )
        throw new FrequencyChangedError();
      await transaction.of(formSubmissions).insert(submission);
      return messages;
    });
  async function insertWithMessages(
    submission: Submission,
    frequency: NotificationFrequency,
  ): Promise<void> {
    try {
      await insert(submission, await createMessages(submission, frequency), frequency);
    } catch (error) {
      if (error instanceof FrequencyChangedError) return insertWithMessages(submission, "at once");
      // If a message is invalid, the enquiry is stored without messages.
      if (!isRefusal(error, "invalid_value")) throw error;
      log(NOT_QUEUED_MESSAGE);
      await insert(submission, [], "at once");
    }
  }
  return (submission) => {
    const frequency = getEffectiveFrequency(settings.read().value, submission.createdAt);
    return insertWithMessages(submission, frequency);
  };
}

const NOT_QUEUED_MESSAGE =
  "A notification about a submission couldn't be queued. The submission is in the dashboard.";

/** Creates the emails about single enquiries, for owners who get them at once. */
export function createOwnerEmails(context: OwnerMailContext): CreateEnquiryMessages {
  const { store, getBranding, listRecipients, isSetUp } = context;
  return limitMessagesPerHour(context, {
    kind: "enquiry",
    findRecipients: (_, frequency) =>
      isSetUp() && frequency === "at once" ? listRecipients() : [],
    createMessage: (submission) => ({
      ...createEnquiryMessage(getBranding(), createEnquirySummary(store, submission)),
      kind: "enquiry",
    }),
    createOverflowMessage: () => ({
      kind: "digest",
      subject: createOverflowSubject(getBranding()),
    }),
  });
}

/** Returns a notice for a day after an hour with more enquiries than the maximum number of single notifications. */
export const createFloodNotices = async ({
  store,
  clock,
}: Pick<OwnerMailContext, "store" | "clock">): Promise<Notice[]> =>
  (await hasOverflowSince(store, clock() - DAY)) ? [FLOOD_NOTICE] : [];

const FLOOD_NOTICE: Notice = {
  code: "enquiry_crowd",
  title: "Many submissions in an hour",
  message: `After ${MAX_MESSAGES_PER_HOUR} notifications in an hour, the rest arrive together at the end of the hour. All submissions are in the Forms tab. If you weren't expecting this many, a bot may be sending them.`,
};

const DAILY_FOOTER =
  "You're receiving this because this address gets the site's daily email about new submissions.";
const OVERFLOW_FOOTER = `After ${MAX_MESSAGES_PER_HOUR} emails in an hour, the remaining submissions of that hour are sent in one email.`;

/** The hour at which the daily email is sent, in the site's time zone. */
const DIGEST_HOUR = 7;

export function createDailyMail(context: OwnerMailContext) {
  const { store, clock, outbox, settings, getBranding, listRecipients, isSetUp } = context;
  /** Returns the emails about everything received between the last daily email and `dueAt`. */
  async function createMessages(dueAt: number, mailSettings: Settings, transaction: Transaction) {
    const { digestAt, since } = mailSettings;
    const from = Math.max(parseTimeOrZero(digestAt), parseTimeOrZero(since));
    if (!isSetUp() || from >= dueAt) return [];
    const keys = await transaction.of(formSubmissions).readKeys(createTimeRangeFilter(from, dueAt));
    const testimonials = (await transaction.of(entities.testimonials).read()).value;
    const testimonialCount = filterWrittenBetween(testimonials, from, dueAt).length;
    if (keys.length + testimonialCount === 0) return [];
    const subject = createDigestSubject(getBranding(), keys.length, testimonialCount);
    const message = { kind: "digest", subject, text: "", html: "", isUnique: true } as const;
    return listRecipients().map((to) => ({ ...message, to, about: formatRange(from, dueAt) }));
  }
  return {
    /** Renders an email just before it is sent, so that it contains nobody who was erased in the meantime. */
    async renderMessage({ about, to }: Pick<StoredMessage, "about" | "to">) {
      const overflowIds = await findOverflowIds(store, { about, to });
      const { from, before } = parseRange(about ?? "");
      const where = overflowIds
        ? { id: { oneOf: overflowIds } }
        : createTimeRangeFilter(from, before);
      const submissions = await Array.fromAsync(store.of(formSubmissions).scan({ where }));
      const testimonials = store.of(entities.testimonials).read().value;
      const newTestimonials = overflowIds ? [] : filterWrittenBetween(testimonials, from, before);
      if (submissions.length + newTestimonials.length === 0)
        throw new NothingToSendError(SUBMISSION_DELETED_MESSAGE);
      const enquiries = submissions.map((each) => createEnquirySummary(store, each));
      const footer = overflowIds ? OVERFLOW_FOOTER : DAILY_FOOTER;
      return createDigestMessage(getBranding(), enquiries, newTestimonials, footer);
    },
    async queueDueMessage() {
      const zone = getSiteTimeZone(store);
      const dueAt = findLastOccurrenceOfHour(clock() - MAX_STORE_DELAY_MS, DIGEST_HOUR, zone);
      const isDue = ({ notify, digestAt }: Settings) =>
        notify === "daily" && parseTimeOrZero(digestAt) < dueAt;
      if (!isSetUp() || !isDue(settings.read().value)) return;
      await outbox.addInTransaction(async (transaction) => {
        const document = transaction.of(entities.mailSettings);
        const { value } = await document.read();
        if (!isDue(value)) return [];
        const messages = await createMessages(dueAt, value, transaction);
        await document.update((each) => ({ ...each, digestAt: new Date(dueAt).toISOString() }));
        return messages;
      });
    },
    /** Changes the settings. If the owner turns daily emails off, queues a last one. */
    saveSettings: (change: (value: Settings) => Settings) =>
      outbox.addInTransaction(async (transaction) => {
        const document = transaction.of(entities.mailSettings);
        const { value: previousSettings } = await document.read();
        const { value: newSettings } = await document.update(change);
        const isEnding = previousSettings.notify === "daily" && newSettings.notify === "at once";
        return isEnding ? createMessages(clock(), previousSettings, transaction) : [];
      }),
  };
}

const parseTimeOrZero = (time: string | null) => Date.parse(time ?? "") || 0;

/** Returns the testimonials received between two times, in milliseconds since 1970. */
const filterWrittenBetween = (all: readonly Item<"testimonials">[], from: number, before: number) =>
  all.filter(({ receivedAt }) => {
    const at = Date.parse(receivedAt ?? "");
    return at >= from && at < before;
  });
