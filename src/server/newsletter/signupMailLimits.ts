/**
 * Limits messages to addresses that nobody has confirmed. A bot may enter the addresses of strangers, so an hour's
 * messages are few enough that nobody takes the site for a spammer, and enough for the day when a performance is
 * announced. The other messages wait.
 */
import type { Item } from "../../schema/index.ts";
import { findEnclosingNetworks } from "../http/visitor.ts";
import { getMailDomain, normalizeMailbox } from "../shared/mailbox.ts";
import { HOUR } from "../shared/time.ts";

type Subscription = Item<"emailSubscriptions">;

/** A subscriber with a due message. */
export type DueSubscription = Pick<Subscription, "id" | "email" | "owed" | "ipAddress">;

/** A message to a subscriber that was queued within the last day. */
export interface QueuedMail {
  readonly kind: string;
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface SignupMailPlan {
  readonly due: readonly DueSubscription[];
  /** Sent later. */
  readonly waiting: readonly DueSubscription[];
  /** Never sent: the mailbox got such a message recently, or more are waiting than can be sent in two days. */
  readonly dropped: readonly DueSubscription[];
}

/** Messages per hour and day for the whole site, and per hour to one domain. */
export const SITE_MESSAGE_LIMITS = { hour: 100, day: 600, domain: 25 } as const;
/** To one mailbox: messages a day, and milliseconds between two of a kind. */
const MAILBOX_LIMITS = { day: 3, minIntervalMs: 4 * HOUR } as const;
/** As many messages as are sent in less than two days. */
const MAX_WAITING_MESSAGES = 1000;

/** Decides which due messages are sent now. `candidates` are ordered by age; `now` is in milliseconds since 1970. */
export function planSignupMail(
  candidates: readonly DueSubscription[],
  written: readonly QueuedMail[],
  now: number,
): SignupMailPlan {
  const due: DueSubscription[] = [];
  const later: DueSubscription[] = [];
  const dropped: DueSubscription[] = [];
  let inDay = 0;
  let inHour = 0;
  const toDomain = new Map<string, number>();
  const toMailbox = new Map<string, QueuedMail[]>();
  const count = (each: QueuedMail) => {
    const [domain, mailbox] = [getMailDomain(each.to), normalizeMailbox(each.to)];
    toMailbox.set(mailbox, [...(toMailbox.get(mailbox) ?? []), each]);
    inDay++;
    if (now - each.at >= HOUR) return;
    inHour++;
    toDomain.set(domain, (toDomain.get(domain) ?? 0) + 1);
  };
  for (const each of written) count(each);
  for (const each of sortFairly(candidates)) {
    const before = toMailbox.get(normalizeMailbox(each.email)) ?? [];
    const isAgain = before.some(
      ({ kind, at }) => kind === each.owed && now - at < MAILBOX_LIMITS.minIntervalMs,
    );
    const isFull =
      inHour >= SITE_MESSAGE_LIMITS.hour ||
      inDay >= SITE_MESSAGE_LIMITS.day ||
      (toDomain.get(getMailDomain(each.email)) ?? 0) >= SITE_MESSAGE_LIMITS.domain;
    if (isAgain || before.length >= MAILBOX_LIMITS.day) dropped.push(each);
    else if (isFull) later.push(each);
    else {
      due.push(each);
      count({ kind: each.owed ?? "", to: each.email, at: now });
    }
  }
  const waiting = later.slice(0, MAX_WAITING_MESSAGES);
  return { due, waiting, dropped: [...dropped, ...later.slice(MAX_WAITING_MESSAGES)] };
}

/** Puts networks with few due messages first, so that somebody who types hundreds of addresses delays nobody else. */
function sortFairly(candidates: readonly DueSubscription[]): DueSubscription[] {
  const getNetwork = ({ ipAddress }: DueSubscription) =>
    findEnclosingNetworks(ipAddress ?? "").at(-1);
  const networks = Map.groupBy(candidates, getNetwork);
  return [...networks.values()].toSorted((one, other) => one.length - other.length).flat();
}
