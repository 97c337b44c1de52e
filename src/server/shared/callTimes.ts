/** When suggested and booked calls take place, and until when a suggested time can be chosen. */
import type { Booking, SuggestedTime } from "../../schema/enquiry/calls.ts";
import { localTimeToInstant } from "../../schema/entities/visibility.ts";
import type { StoredReply } from "../../schema/enquiry/visitors.ts";
import { DAY, MINUTE, parseTimestamp } from "./time.ts";

interface CallTime {
  readonly at: string;
  readonly zone: string;
  readonly minutes: number;
}

/** A suggested time can be chosen for this long after the reply. */
const SUGGESTION_TTL_MS = 14 * DAY;

export const computeCallStart = ({ at, zone }: Pick<CallTime, "at" | "zone">): number =>
  localTimeToInstant(at, zone);

export const computeCallEnd = (time: CallTime): number =>
  computeCallStart(time) + time.minutes * MINUTE;

export const doCallsOverlap = (one: CallTime, other: CallTime): boolean =>
  computeCallStart(one) < computeCallEnd(other) && computeCallStart(other) < computeCallEnd(one);

/** Returns when a reply's suggested times expire: at the last suggested time, at most two weeks after the reply. */
const computeSuggestionExpiry = ({ at, offers = [] }: Pick<StoredReply, "at" | "offers">): number =>
  Math.min(parseTimestamp(at) + SUGGESTION_TTL_MS, Math.max(...offers.map(computeCallStart)));

export const hasOpenTimes = (reply: StoredReply, now: number): boolean =>
  findOpenSuggestedTimes(reply, now).length > 0;

/** Returns the suggested times of a reply that can still be chosen, in the reply's order. */
export const findOpenSuggestedTimes = (
  reply: StoredReply,
  now: number,
): readonly SuggestedTime[] =>
  reply.ended === undefined && now < computeSuggestionExpiry(reply)
    ? (reply.offers ?? []).filter((suggestedTime) => computeCallStart(suggestedTime) > now)
    : [];

interface SubmissionWithCalls {
  readonly replies: readonly StoredReply[];
  readonly booked: Booking | null;
}

/** Returns the submission with `callsUntil` set to the end of its last suggested or booked call. */
export function withLastCallEnd<S extends SubmissionWithCalls>(submission: S): S {
  const { replies, booked } = submission;
  const suggestedTimes = replies
    .filter(({ ended }) => ended === undefined)
    .flatMap(({ offers = [] }) => offers);
  const ends = [...suggestedTimes, ...(booked ? [booked] : [])].map(computeCallEnd);
  const callsUntil = ends.length > 0 ? new Date(Math.max(...ends)).toISOString() : null;
  return { ...submission, callsUntil };
}
