/** Limits the messages about single enquiries in an hour. One message covers the hour's other enquiries. */
import { entities, type Item } from "../../schema/index.ts";
import type { MessageKind } from "../../schema/people/mail.ts";
import type { Clock } from "../shared/clock.ts";
import { HOUR, MINUTE } from "../shared/time.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
import type { Store } from "../storage/store.ts";
import type { CreateEnquiryMessages, NotificationFrequency } from "./notificationContext.ts";

type Submission = Item<"formSubmissions">;

/** The maximum number of messages about single enquiries to one recipient in an hour. */
export const MAX_MESSAGES_PER_HOUR = 30;
/** The maximum time that storing an enquiry takes. The summary of an hour is sent this long after the hour's end. */
export const MAX_STORE_DELAY_MS = MINUTE;

interface NotificationRules {
  readonly kind: MessageKind;
  readonly findRecipients: (
    submission: Submission,
    frequency: NotificationFrequency,
  ) => readonly string[];
  readonly createMessage: (submission: Submission, to: string) => Omit<NewMessage, "to">;
  /** Creates the message about an hour's other enquiries. Its text is rendered when it is sent. */
  readonly createOverflowMessage: () => Pick<NewMessage, "kind" | "subject">;
}

/** Returns a function that creates the messages about an enquiry. The caller stores them. */
export function limitMessagesPerHour(
  { outbox, clock }: { readonly outbox: Outbox; readonly clock: Clock },
  { kind, findRecipients, createMessage, createOverflowMessage }: NotificationRules,
): CreateEnquiryMessages {
  /** This hour's messages about single enquiries, by recipient, including messages that aren't stored yet. */
  let currentHour = { from: Number.NaN, counts: new Map<string, number>() };

  return async (submission, frequency) => {
    const { id, createdAt } = submission;
    const receivedAt = Date.parse(createdAt ?? "") || clock();
    const from = Math.floor(receivedAt / HOUR) * HOUR;
    // If the outbox can't be read, counts only this process's messages: one too many is better than a missing one.
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

/** The beginning of `about` in a message about an hour's other enquiries. The hour follows. */
const OVERFLOW_PREFIX = "rest ";

/** Formats a time range for a message's `about`. `from` and `before` are in milliseconds since 1970. */
export const formatRange = (from: number, before: number): string =>
  [from, before].map((at) => new Date(at).toISOString()).join("/");

export const parseRange = (range: string): { readonly from: number; readonly before: number } => {
  const [from = 0, before = 0] = range.split("/").map((each) => Date.parse(each));
  return { from, before };
};

/** Returns the ids of the enquiries in a message about an hour's other enquiries; undefined for any other message. */
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

/** Whether a message about an hour's other enquiries was queued after a time, in milliseconds since 1970. */
export async function hasOverflowSince(store: Store, since: number): Promise<boolean> {
  const messages = await store.of(entities.outbox).readKeys(createTimeRangeFilter(since));
  return messages.some(({ about }) => about?.startsWith(OVERFLOW_PREFIX));
}
