/** Limits messages about single enquiries, whatever carries them; the others of an hour come in one message. */
import pLimit from "p-limit";
import { entities, type Item } from "../../schema/index.ts";
import type { MessageKind } from "../../schema/people/mail.ts";
import type { Clock } from "../shared/clock.ts";
import { HOUR, MINUTE } from "../shared/time.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";
import type { Store } from "../storage/store.ts";

type Submission = Item<"formSubmissions">;

/** To one recipient. */
export const MAX_MESSAGES_PER_HOUR = 30;
/** Enquiries may be received before the end of an hour and stored after it. */
const STORED_WITHIN = MINUTE;

/** What is sent to one kind of recipient. */
interface Notifying {
  /** Messages of this kind are counted. */
  readonly kind: MessageKind;
  readonly recipients: (submission: Submission) => readonly string[];
  /** About one enquiry. */
  readonly single: (submission: Submission, to: string) => Omit<NewMessage, "to">;
  /** About the others of an hour; written when it is sent. */
  readonly rest: () => Pick<NewMessage, "kind" | "subject">;
}

interface LimitContext {
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** Returns a function that writes the messages about an enquiry, once; it doesn't store them. */
export function limitedPerHour(
  { outbox, clock }: LimitContext,
  { kind, recipients, single, rest }: Notifying,
): (submission: Submission) => Promise<NewMessage[]> {
  /** Messages written but not stored yet, or never stored. */
  let pending: { readonly id: string; readonly to: string; readonly at: number }[] = [];

  async function countsSince(from: number): Promise<Map<string, number>> {
    pending = pending.filter(
      (each) => !outbox.hasMessageAbout(each.id, each.to) && each.at > clock() - STORED_WITHIN,
    );
    const counts = new Map<string, number>();
    for (const to of [...(await outbox.recipientsSince(kind, from)), ...pending.map(toOf)])
      counts.set(to, (counts.get(to) ?? 0) + 1);
    return counts;
  }

  async function write(submission: Submission): Promise<NewMessage[]> {
    const { id } = submission;
    const { from, about } = hourOf(Date.parse(submission.createdAt ?? "") || clock());
    const isOpen = (to: string) =>
      !outbox.hasMessageAbout(id, to) && !outbox.hasMessageAbout(about, to);
    const open = recipients(submission).filter(isOpen);
    if (open.length === 0) return [];
    const counts = await countsSince(from);
    return open.map((to) => {
      if ((counts.get(to) ?? 0) < MAX_MESSAGES_PER_HOUR) {
        pending.push({ id, to, at: clock() });
        return { ...single(submission, to), to, about: id, isOnce: true };
      }
      const sendAt = from + HOUR + STORED_WITHIN;
      return { ...rest(), to, text: "", html: "", about, sendAt, isOnce: true };
    });
  }

  // One after another, so that each is counted before the next.
  const inTurn = pLimit(1);
  return (submission) => inTurn(() => write(submission));
}

const toOf = ({ to }: { readonly to: string }) => to;

/** The hour in which an enquiry was received; the key of the message about the others of that hour. */
function hourOf(receivedAt: number): { readonly from: number; readonly about: string } {
  const from = Math.floor(receivedAt / HOUR) * HOUR;
  return { from, about: REST + rangeOf(from, from + HOUR) };
}

const REST = "rest ";

/** A span of time, as the subject of a message. */
export const rangeOf = (from: number, before: number): string =>
  [from, before].map((at) => new Date(at).toISOString()).join("/");

/** Reads what `rangeOf` made. */
export const readRange = (range: string): { readonly from: number; readonly before: number } => {
  const [from = 0, before = 0] = range.split("/").map((each) => Date.parse(each));
  return { from, before };
};

/** The ids of the enquiries that such a message is about; undefined for all other messages. */
export async function restOf(
  { store, outbox }: { readonly store: Store; readonly outbox: Outbox },
  { about, to }: { readonly about: string | null; readonly to: string },
): Promise<ReadonlySet<string> | undefined> {
  if (!about?.startsWith(REST)) return undefined;
  const { from, before } = readRange(about.slice(REST.length));
  const received = await store.of(entities.formSubmissions).keys(receivedWithin(from, before));
  const ids = received.map(({ id }) => id);
  return new Set(ids.filter((id) => !outbox.hasMessageAbout(id, to)));
}

/** Enquiries received between two moments, in milliseconds since 1970. */
export const receivedWithin = (from: number, before?: number) => ({
  createdAt: {
    from: new Date(from).toISOString(),
    ...(before !== undefined && { before: new Date(before).toISOString() }),
  },
});

/** Whether any of these recipients got, or will get, a message about the others of one of the last hours. */
export const wereMany = (
  { outbox, clock }: LimitContext,
  recipients: readonly string[],
  hours: number,
): boolean =>
  Array.from({ length: hours }, (_, ago) => hourOf(clock() - ago * HOUR).about).some((about) =>
    recipients.some((to) => outbox.hasMessageAbout(about, to)),
  );
