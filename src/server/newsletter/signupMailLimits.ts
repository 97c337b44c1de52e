/**
 * Limits messages to unconfirmed addresses, since a bot may enter strangers' addresses. The hourly limit is low enough
 * for mail providers, and high enough for the day on which a performance is announced.
 */
import type { Item } from "../../schema/index.ts";
import { findEnclosingNetworks } from "../http/visitor.ts";
import { getMailDomain, normalizeMailbox } from "../shared/mailbox.ts";
import { HOUR } from "../shared/time.ts";

type Subscription = Item<"emailSubscriptions">;

export type DueSubscription = Pick<Subscription, "id" | "email" | "owed" | "ipAddress">;

/** A message to a subscriber, queued within the last day. */
export interface RecentMail {
  readonly kind: string;
  readonly to: string;
  /** When it was queued, in milliseconds since 1970. */
  readonly at: number;
}

export interface SignupMailPlan {
  readonly due: readonly DueSubscription[];
  /** The subscribers whose message is sent later. */
  readonly waiting: readonly DueSubscription[];
  /** The subscribers whose message is never sent: their mailbox got one recently, or too many are waiting. */
  readonly dropped: readonly DueSubscription[];
}

/** The maximum numbers of messages: per hour and day for the whole site, and per hour to one domain. */
export const SITE_MESSAGE_LIMITS = { hour: 100, day: 600, domain: 25 } as const;
/** The limits per mailbox: messages in a day, and the time between two of the same kind. */
const MAILBOX_LIMITS = { day: 3, minIntervalMs: 4 * HOUR } as const;
/** The maximum number of waiting messages: as many as the site can send in less than two days. */
const MAX_WAITING_MESSAGES = 1000;

/** Decides which messages are sent now. `candidates` are sorted oldest first. `now` is in milliseconds since 1970. */
export function planSignupMail(
  candidates: readonly DueSubscription[],
  recentMessages: readonly RecentMail[],
  now: number,
): SignupMailPlan {
  const due: DueSubscription[] = [];
  const delayed: DueSubscription[] = [];
  const dropped: DueSubscription[] = [];
  let dayCount = 0;
  let hourCount = 0;
  const countByDomain = new Map<string, number>();
  const messagesByMailbox = new Map<string, RecentMail[]>();
  const countMessage = (message: RecentMail) => {
    const [domain, mailbox] = [getMailDomain(message.to), normalizeMailbox(message.to)];
    messagesByMailbox.set(mailbox, [...(messagesByMailbox.get(mailbox) ?? []), message]);
    dayCount++;
    if (now - message.at >= HOUR) return;
    hourCount++;
    countByDomain.set(domain, (countByDomain.get(domain) ?? 0) + 1);
  };
  for (const message of recentMessages) countMessage(message);
  for (const candidate of sortFairly(candidates)) {
    const earlierMessages = messagesByMailbox.get(normalizeMailbox(candidate.email)) ?? [];
    const isTooSoon = earlierMessages.some(
      ({ kind, at }) => kind === candidate.owed && now - at < MAILBOX_LIMITS.minIntervalMs,
    );
    const isLimitReached =
      hourCount >= SITE_MESSAGE_LIMITS.hour ||
      dayCount >= SITE_MESSAGE_LIMITS.day ||
      (countByDomain.get(getMailDomain(candidate.email)) ?? 0) >= SITE_MESSAGE_LIMITS.domain;
    if (isTooSoon || earlierMessages.length >= MAILBOX_LIMITS.day) dropped.push(candidate);
    else if (isLimitReached) delayed.push(candidate);
    else {
      due.push(candidate);
      countMessage({ kind: candidate.owed ?? "", to: candidate.email, at: now });
    }
  }
  const waiting = delayed.slice(0, MAX_WAITING_MESSAGES);
  return { due, waiting, dropped: [...dropped, ...delayed.slice(MAX_WAITING_MESSAGES)] };
}

/** Puts networks with few due messages first, so that somebody who types hundreds of addresses delays nobody else. */
function sortFairly(candidates: readonly DueSubscription[]): DueSubscription[] {
  const getNetwork = ({ ipAddress }: DueSubscription) =>
    findEnclosingNetworks(ipAddress ?? "").at(-1);
  const networks = Map.groupBy(candidates, getNetwork);
  return [...networks.values()].toSorted((one, other) => one.length - other.length).flat();
}
