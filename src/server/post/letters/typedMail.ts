/**
 * Which messages go now to addresses that somebody has only typed. Whoever types may be a robot with a list of
 * strangers: so there are few enough in an hour that no stranger's mailbox and no provider takes the site for one
 * that sends spam, and enough for the day on which a performance is announced. The others wait, and lose nothing.
 */
import type { Item } from "../../../schema/index.ts";
import { networksOf } from "../../http/visitor.ts";
import { mailboxOf } from "../../shared/mailbox.ts";
import { HOUR } from "../../shared/time.ts";

type Subscription = Item<"emailSubscriptions">;

/** Whom a message is owed; oldest first. */
export type Owing = Pick<Subscription, "id" | "email" | "owed" | "ipAddress">;

/** A message of these kinds that was written within a day. */
export interface Written {
  readonly kind: string;
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Plan {
  readonly due: readonly Owing[];
  /** They get theirs later. */
  readonly waiting: readonly Owing[];
  /** Nothing is written: that mailbox had the same a while ago, or more wait than will be written to in days. */
  readonly dropped: readonly Owing[];
}

/** Messages of the whole site in an hour and in a day, and in an hour to the addresses of one domain. */
export const MOST = { hour: 100, day: 600, domain: 25 } as const;
/** Messages to one mailbox in a day, and from one to the next of its kind, in milliseconds. */
const MAILBOX = { day: 3, apart: 4 * HOUR } as const;
/** As many as are written to in less than two days. */
const MOST_WAITING = 1000;

export function planned(owing: readonly Owing[], written: readonly Written[], now: number): Plan {
  const due: Owing[] = [];
  const later: Owing[] = [];
  const dropped: Owing[] = [];
  let inDay = 0;
  let inHour = 0;
  const toDomain = new Map<string, number>();
  const toMailbox = new Map<string, Written[]>();
  const note = (each: Written) => {
    const [domain, mailbox] = [domainOf(each.to), mailboxOf(each.to)];
    toMailbox.set(mailbox, [...(toMailbox.get(mailbox) ?? []), each]);
    inDay++;
    if (now - each.at >= HOUR) return;
    inHour++;
    toDomain.set(domain, (toDomain.get(domain) ?? 0) + 1);
  };
  for (const each of written) note(each);
  for (const each of inFairOrder(owing)) {
    const before = toMailbox.get(mailboxOf(each.email)) ?? [];
    const isAgain = before.some(({ kind, at }) => kind === each.owed && now - at < MAILBOX.apart);
    const isFull =
      inHour >= MOST.hour ||
      inDay >= MOST.day ||
      (toDomain.get(domainOf(each.email)) ?? 0) >= MOST.domain;
    if (isAgain || before.length >= MAILBOX.day) dropped.push(each);
    else if (isFull) later.push(each);
    else {
      due.push(each);
      note({ kind: each.owed ?? "", to: each.email, at: now });
    }
  }
  const [waiting, tooMany] = [later.slice(0, MOST_WAITING), later.slice(MOST_WAITING)];
  return { due, waiting, dropped: [...dropped, ...tooMany] };
}

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/** Networks that wait for fewest come first: one who types hundreds keeps nobody else waiting. */
function inFairOrder(owing: readonly Owing[]): Owing[] {
  const networkOf = ({ ipAddress }: Owing) => networksOf(ipAddress ?? "").at(-1);
  const networks = Map.groupBy(owing, networkOf);
  return [...networks.values()].toSorted((one, other) => one.length - other.length).flat();
}
