/** When suggested and agreed times are, and until when one can be chosen: in milliseconds since 1970. */
import type { Booking, Offer } from "../../schema/calls.ts";
import { instantOf } from "../../schema/shownAt.ts";
import type { StoredReply } from "../../schema/visitors.ts";
import { DAY, MINUTE, timeOf } from "./time.ts";

/** A time from its beginning to its end. */
interface CallTime {
  readonly at: string;
  readonly zone: string;
  readonly minutes: number;
}

/** The longest that times can be chosen for. */
const OPEN_FOR = 14 * DAY;

export const callStart = ({ at, zone }: Pick<CallTime, "at" | "zone">): number =>
  instantOf(at, zone);

export const callEnd = (time: CallTime): number => callStart(time) + time.minutes * MINUTE;

export const overlap = (one: CallTime, other: CallTime): boolean =>
  callStart(one) < callEnd(other) && callStart(other) < callEnd(one);

/** When the times of a reply can no longer be chosen: with the last of them, or after two weeks. */
const roundEnd = ({ at, offers = [] }: Pick<StoredReply, "at" | "offers">): number =>
  Math.min(timeOf(at) + OPEN_FOR, Math.max(...offers.map(callStart)));

/** Whether one of the times of a reply can be chosen. */
export const isOpen = (reply: StoredReply, now: number): boolean =>
  openOffers(reply, now).length > 0;

/** Those of a reply that can be chosen, in the order of the reply. */
export const openOffers = (reply: StoredReply, now: number): readonly Offer[] =>
  reply.ended === undefined && now < roundEnd(reply)
    ? (reply.offers ?? []).filter((offer) => callStart(offer) > now)
    : [];

interface WithCalls {
  readonly replies: readonly StoredReply[];
  readonly booked: Booking | null;
}

/** The same submission, noted under when its last suggested or agreed time is over. */
export function withCallsUntil<S extends WithCalls>(submission: S): S {
  const { replies, booked } = submission;
  const offered = replies
    .filter(({ ended }) => ended === undefined)
    .flatMap(({ offers = [] }) => offers);
  const ends = [...offered, ...(booked ? [booked] : [])].map(callEnd);
  const callsUntil = ends.length > 0 ? new Date(Math.max(...ends)).toISOString() : null;
  return { ...submission, callsUntil };
}
