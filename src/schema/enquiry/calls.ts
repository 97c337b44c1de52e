/** Calls with people who sent an enquiry: the suggested times, the booking, and the owner's calendar feed. */
import * as v from "valibot";
import { INTERNAL_SETTINGS, singleton } from "../entities/entity.ts";
import { internal } from "../kinds/fields.ts";

export const CALL_LENGTHS_MINUTES = [15, 30, 45, 60] as const;

export const CALL_METHODS = [
  { value: "call", label: "I'll call you" },
  { value: "online", label: "Online" },
  { value: "place", label: "In person" },
] as const;

export const MAX_TIMES_PER_REPLY = 5;
/** The maximum number of replies to one enquiry whose suggested times can still be chosen. */
export const MAX_OPEN_REPLIES_WITH_TIMES = 3;
/** The maximum lengths of a meeting's location, and of a message that declines all times, in characters. */
export const MAX_LOCATION_LENGTH = 120;
export const MAX_DECLINE_MESSAGE_LENGTH = 300;

const callTimeFields = {
  /** The local time as entered, such as `2027-03-14T20:00`, in the time zone `zone`. */
  at: v.string(),
  zone: v.string(),
  minutes: v.number(),
  /** Depending on `how`, `text` is the phone number (which may be empty), the link or the place. */
  where: v.object({ how: v.picklist(CALL_METHODS.map(({ value }) => value)), text: v.string() }),
};

export const suggestedTimeSchema = v.object(callTimeFields);

export type SuggestedTime = v.InferOutput<typeof suggestedTimeSchema>;

export const bookingSchema = v.object({
  ...callTimeFields,
  /** The id of the reply that suggested the time. Calendars recognize a moved call by this id. */
  id: v.string(),
  /** The email address to which the suggestions were sent. */
  to: v.string(),
  /** The number of times that the call was moved, for calendars (RFC 5545, 3.8.7.4). */
  sequence: v.number(),
  changedAt: v.string(),
});

export type Booking = v.InferOutput<typeof bookingSchema>;

/** The secret URL of an owner's calendar feed of calls. The routes aren't generated from this declaration. */
export const callsCalendar = singleton("callsCalendar", "Calendar of calls", {
  // With these settings, restoring a backup doesn't restore an old key, so a replaced URL never works again.
  ...INTERNAL_SETTINGS,
  fields: {
    /** SHA-256 of the key in the feed's URL, in hex; empty without a feed. */
    keyHash: internal("Key", v.string(), ""),
    /** The id of the owner who created the feed. The URL stops working when this user is no longer an owner. */
    madeBy: internal("Created by", v.string(), ""),
    madeAt: internal("Created", v.nullable(v.string()), null),
  },
});
