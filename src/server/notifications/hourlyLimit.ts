/**
 * Limits messages about single enquiries. Above the limit, a single message covers the rest of the hour's enquiries.
 */
import { entities, type Item } from "../../schema/index.ts";
import type { MessageKind } from "../../schema/people/mail.ts";
import type { Clock } from "../shared/clock.ts";
import { HOUR, MINUTE } from "../shared/time.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
import type { Store } from "../storage/store.ts";
import type { CreateEnquiryMessages, NotificationFrequency } from "./notificationContext.ts";

type Submission = Item<"formSubmissions">;

/** The limit for messages about single enquiries to one recipient. */
export const MAX_MESSAGES_PER_HOUR = 30;
/** An enquiry received before the end of an hour may be stored up to this long after the hour. */
export const MAX_STORE_DELAY_MS = MINUTE;

interface NotificationRules {
  readonly kind: MessageKind;
  readonly findRecipients: (
    submission: Submission,
    frequency: NotificationFrequency,
  ) => readonly string[];
  /** The message about one enquiry. */
  readonly createMessage: (submission: Submission, to: string) => Omit<NewMessage, "to">;
  /** The message about the rest of an hour's enquiries, whose text is written when it is sent. */
  readonly createOverflowMessage: () => Pick<NewMessage, "kind" | "subject">;
}

/** Returns a function that returns the messages about an enquiry; the caller stores them. */
export function limitMessagesPerHour(
  { outbox, clock }: { readonly outbox: Outbox; readonly clock: Clock },
  { kind, findRecipients, createMessage, createOverflowMessage }: NotificationRules,
): CreateEnquiryMessages {
  /** The number of this hour's messages about single enquiries by recipient. Some may not be stored yet. */
  let currentHour = { from: Number.NaN, counts: new Map<string, number>() };

  return async (submission, frequency) => {
    const { id, createdAt } = submission;
    const receivedAt = Date.parse(createdAt ?? "") || clock();
    const from = Math.floor(receivedAt / HOUR) * HOUR;
    // If the outbox can't be read, only this process's count is used, since no message must be lost.
    const storedRecipients = await outbox.findRecipientsSince(kind, from).catch((): string[] => []);
    if (currentHour.from !== from) currentHour = { from, counts: new Map() };
    return findRecipients(submission, frequency).map((to) => {
      const localCount = currentHour.counts.get(to) ?? 0;
      const count = Math.max(localCount, storedRecipients.filter((each) => each === to).length);
      if (count < MAX_MESSAGES_PER_HOUR) {
        currentHour.counts.set(to, count + 1);
        return { ...createMessage(submission, to), to, about: id, isUnique: true };
      }
      const about = OVERFLOW_PREFIX + formatRange(from, from + HOUR);
      const sendAt = from + HOUR + MAX_STORE_DELAY_MS;
      return { ...createOverflowMessage(), to, text: "", html: "", about, sendAt, isUnique: true };
    });
  };
}

/** The `about` of a message about the rest of an hour begins with this; the hour follows. */
const OVERFLOW_PREFIX = "rest ";

/** Formats a range of time for a message's `about`. Both ends are in milliseconds since 1970. */
export const formatRange = (from: number, before: number): string =>
  [from, before].map((at) => new Date(at).toISOString()).join("/");

/** Parses the text that `formatRange` returns. */
export const parseRange = (range: string): { readonly from: number; readonly before: number } => {
  const [from = 0, before = 0] = range.split("/").map((each) => Date.parse(each));
  return { from, before };
};

/** Finds the ids of the enquiries that a message about the rest of an hour covers; undefined for other messages. */
export async function findOverflowIds(
  store: Store,
  { about, to }: { readonly about: string | null; readonly to: string },
): Promise<ReadonlySet<string> | undefined> {
  if (!about?.startsWith(OVERFLOW_PREFIX)) return undefined;
  const { from, before } = parseRange(about.slice(OVERFLOW_PREFIX.length));
  const submissions = await store
    .of(entities.formSubmissions)
    .readKeys(createTimeRangeFilter(from, before));
  const messages = await store.of(entities.outbox).readKeys(createTimeRangeFilter(from));
  const singleIds = new Set(messages.filter((key) => key.to === to).map((key) => key.about));
  return new Set(submissions.map(({ id }) => id).filter((id) => !singleIds.has(id)));
}

/** Returns a filter for enquiries received, or messages queued, between two times in milliseconds since 1970. */
export const createTimeRangeFilter = (from: number, before?: number) => ({
  createdAt: {
    from: new Date(from).toISOString(),
    ...(before !== undefined && { before: new Date(before).toISOString() }),
  },
});

/** Whether a message about the rest of an hour was queued since a time (milliseconds since 1970). */
export async function hasOverflowSince(store: Store, since: number): Promise<boolean> {
  const messages = await store.of(entities.outbox).readKeys(createTimeRangeFilter(since));
  return messages.some(({ about }) => about?.startsWith(OVERFLOW_PREFIX));
}
