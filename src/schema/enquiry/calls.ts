/** Calls with people who sent an enquiry: times suggested in a reply, and the one that was booked. */
import * as v from "valibot";

/** The possible lengths of a call, in minutes. */
export const CALL_LENGTHS = [15, 30, 45, 60] as const;

/** The kinds of meeting that an owner can choose. */
export const CALL_METHODS = [
  { value: "call", label: "I'll call you" },
  { value: "online", label: "Online" },
  { value: "place", label: "In person" },
] as const;

export const MAX_TIMES_PER_REPLY = 5;
/** The most replies to one enquiry with times that can still be chosen. */
export const MAX_OPEN_REPLIES_WITH_TIMES = 3;
/** In characters: the place, and the visitor's message when none of the times suits. */
export const MAX_LOCATION_LENGTH = 120;
export const MAX_DECLINE_MESSAGE_LENGTH = 300;

const callTime = {
  /** Local time as entered: `2027-03-14T20:00`, in the zone beside it. */
  at: v.string(),
  zone: v.string(),
  minutes: v.number(),
  /** `text` is the phone number (or empty), the link or the place. */
  where: v.object({ how: v.picklist(CALL_METHODS.map(({ value }) => value)), text: v.string() }),
};

export const offerSchema = v.object(callTime);

export type SuggestedTime = v.InferOutput<typeof offerSchema>;

export const bookingSchema = v.object({
  ...callTime,
  /** The id of the reply that suggested it: calendars identify the call by it, even after it is moved. */
  id: v.string(),
  /** The address that the suggestions were sent to. */
  to: v.string(),
  /** The number of times it was moved (RFC 5545, 3.8.7.4). */
  sequence: v.number(),
  changedAt: v.string(),
});

export type Booking = v.InferOutput<typeof bookingSchema>;
