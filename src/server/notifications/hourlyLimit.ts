/** Limits messages about single enquiries, whatever carries them; the others of an hour come in one message. */
import { entities, type Item } from "../../schema/index.ts";
import type { MessageKind } from "../../schema/people/mail.ts";
import type { Clock } from "../shared/clock.ts";
import { HOUR, MINUTE } from "../shared/time.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
import type { Store } from "../storage/store.ts";
import type { EnquiryListener, Notify } from "./listener.ts";

type Submission = Item<"formSubmissions">;

/** To one recipient. */
export const MAX_MESSAGES_PER_HOUR = 30;
/** Enquiries may be received before the end of an hour and stored after it. */
export const MAX_STORE_DELAY_MS = MINUTE;

/** The messages to one kind of recipient. */
interface NotificationRules {
  readonly kind: MessageKind;
  readonly recipients: (submission: Submission, notify: Notify) => readonly string[];
  /** About one enquiry. */
  readonly single: (submission: Submission, to: string) => Omit<NewMessage, "to">;
  /** About the others of an hour; written when it is sent. */
  readonly rest: () => Pick<NewMessage, "kind" | "subject">;
}

interface LimitContext {
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** Returns a function that writes the messages about an enquiry; it doesn't store them. */
export function createHourlyLimitedListener(
  { outbox, clock }: LimitContext,
  { kind, recipients, single, rest }: NotificationRules,
): EnquiryListener {
  /** Single messages of an hour written here by recipient, of which some may not be stored yet. */
  let written = { from: Number.NaN, counts: new Map<string, number>() };

  return async (submission, notify) => {
    const { id, createdAt } = submission;
    const { from, about } = receivedHour(Date.parse(createdAt ?? "") || clock());
    // What is counted here is enough if the list can't be read: a message must not be lost for it.
    const stored = await outbox.findRecipientsSince(kind, from).catch((): string[] => []);
    if (written.from !== from) written = { from, counts: new Map() };
    return recipients(submission, notify).map((to) => {
      const before = written.counts.get(to) ?? 0;
      const count = Math.max(before, stored.filter((each) => each === to).length);
      if (count < MAX_MESSAGES_PER_HOUR) {
        written.counts.set(to, count + 1);
        return { ...single(submission, to), to, about: id, isOnce: true };
      }
      const sendAt = from + HOUR + MAX_STORE_DELAY_MS;
      return { ...rest(), to, text: "", html: "", about, sendAt, isOnce: true };
    });
  };
}

/** The hour in which an enquiry was received; the key of the message about the others of that hour. */
function receivedHour(receivedAt: number): { readonly from: number; readonly about: string } {
  const from = Math.floor(receivedAt / HOUR) * HOUR;
  return { from, about: OVERFLOW_PREFIX + formatRange(from, from + HOUR) };
}

const OVERFLOW_PREFIX = "rest ";

/** A span of time, as the subject of a message. */
export const formatRange = (from: number, before: number): string =>
  [from, before].map((at) => new Date(at).toISOString()).join("/");

/** Reads what `formatRange` made. */
export const parseRange = (range: string): { readonly from: number; readonly before: number } => {
  const [from = 0, before = 0] = range.split("/").map((each) => Date.parse(each));
  return { from, before };
};

/** The ids of the enquiries that such a message is about; undefined for all other messages. */
export async function overflowIds(
  store: Store,
  { about, to }: { readonly about: string | null; readonly to: string },
): Promise<ReadonlySet<string> | undefined> {
  if (!about?.startsWith(OVERFLOW_PREFIX)) return undefined;
  const { from, before } = parseRange(about.slice(OVERFLOW_PREFIX.length));
  const received = await store
    .of(entities.formSubmissions)
    .keys(createdBetweenFilter(from, before));
  const sent = await store.of(entities.outbox).keys(createdBetweenFilter(from));
  const single = new Set(sent.filter((key) => key.to === to).map((key) => key.about));
  return new Set(received.map(({ id }) => id).filter((id) => !single.has(id)));
}

/** Enquiries received, or messages queued, between two points in time, in milliseconds since 1970. */
export const createdBetweenFilter = (from: number, before?: number) => ({
  createdAt: {
    from: new Date(from).toISOString(),
    ...(before !== undefined && { before: new Date(before).toISOString() }),
  },
});

/** Whether anybody got, or will get, a message about the others of an hour, queued since a point in time. */
export async function hadOverflow(store: Store, since: number): Promise<boolean> {
  const queued = await store.of(entities.outbox).keys(createdBetweenFilter(since));
  return queued.some(({ about }) => about?.startsWith(OVERFLOW_PREFIX));
}
