/** When suggested and booked calls take place, and how long one can be chosen: in milliseconds since 1970. */
import type { Booking, SuggestedTime } from "../../schema/enquiry/calls.ts";
import { instantOf } from "../../schema/entities/shownAt.ts";
import type { StoredReply } from "../../schema/enquiry/visitors.ts";
import { DAY, MINUTE, parseTimestamp } from "./time.ts";

/** A suggested or booked call. */
interface CallTime {
  readonly at: string;
  readonly zone: string;
  readonly minutes: number;
}

/** The period in which suggested times can be chosen. */
const OPEN_FOR = 14 * DAY;

export const callStart = ({ at, zone }: Pick<CallTime, "at" | "zone">): number =>
  instantOf(at, zone);

export const callEnd = (time: CallTime): number => callStart(time) + time.minutes * MINUTE;

export const overlap = (one: CallTime, other: CallTime): boolean =>
  callStart(one) < callEnd(other) && callStart(other) < callEnd(one);

/** When a reply's times can no longer be chosen: at the start of the last one, or after two weeks. */
const suggestionsEndAt = ({ at, offers = [] }: Pick<StoredReply, "at" | "offers">): number =>
  Math.min(parseTimestamp(at) + OPEN_FOR, Math.max(...offers.map(callStart)));

/** Whether any of a reply's times can be chosen now. */
export const hasOpenTimes = (reply: StoredReply, now: number): boolean =>
  openOffers(reply, now).length > 0;

/** A reply's times that can still be chosen, in its order. */
export const openOffers = (reply: StoredReply, now: number): readonly SuggestedTime[] =>
  reply.ended === undefined && now < suggestionsEndAt(reply)
    ? (reply.offers ?? []).filter((offer) => callStart(offer) > now)
    : [];

interface WithCalls {
  readonly replies: readonly StoredReply[];
  readonly booked: Booking | null;
}

/** The submission with `callsUntil` set to the end of its last suggested or booked call. */
export function withCallsUntil<S extends WithCalls>(submission: S): S {
  const { replies, booked } = submission;
  const offered = replies
    .filter(({ ended }) => ended === undefined)
    .flatMap(({ offers = [] }) => offers);
  const ends = [...offered, ...(booked ? [booked] : [])].map(callEnd);
  const callsUntil = ends.length > 0 ? new Date(Math.max(...ends)).toISOString() : null;
  return { ...submission, callsUntil };
}
