/** Calls with whoever sent an enquiry: times that a reply suggests, and the one that was agreed on. */
import * as v from "valibot";

/** How long a call can take, in minutes. */
export const CALL_LENGTHS = [15, 30, 45, 60] as const;

/** How they meet, as an owner chooses it. */
export const CALL_WAYS = [
  { value: "call", label: "I call you" },
  { value: "online", label: "Online" },
  { value: "place", label: "Somewhere" },
] as const;

/** Of one reply. */
export const MOST_OFFERS = 5;
/** Replies to one enquiry of which a time can still be chosen. */
export const MOST_ROUNDS = 3;
/** In characters: where they meet, and what a visitor writes whom none of the times suits. */
export const LONGEST_PLACE = 120;
export const LONGEST_LINE = 300;

const callTime = {
  /** As it was typed: `2027-03-14T20:00`, in the time zone beside it. */
  at: v.string(),
  zone: v.string(),
  minutes: v.number(),
  /** `text` is the number (empty where none is known), the link or the place. */
  where: v.object({ how: v.picklist(CALL_WAYS.map(({ value }) => value)), text: v.string() }),
};

export const offerSchema = v.object(callTime);

/** A time that is suggested. */
export type Offer = v.InferOutput<typeof offerSchema>;

export const bookingSchema = v.object({
  ...callTime,
  /** Of the reply whose time it is: calendars know the call by it, also when it is moved. */
  id: v.string(),
  /** The address that the times were sent to. */
  to: v.string(),
  /** How often it was moved (RFC 5545, 3.8.7.4). */
  sequence: v.number(),
  changedAt: v.string(),
});

/** A time that was agreed on. */
export type Booking = v.InferOutput<typeof bookingSchema>;
