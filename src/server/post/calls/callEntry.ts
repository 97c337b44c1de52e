/** A call as calendars read it. */
import type { Booking } from "../../../schema/calls.ts";
import type { CalendarEntry } from "../../shared/calendarFile.ts";
import { callEnd, callStart } from "../../shared/callTimes.ts";

export interface CallEntryOptions {
  readonly host: string;
  readonly summary: string;
  readonly location: string;
  /** It doesn't take place any more. */
  readonly isOff?: boolean;
  readonly organizer?: CalendarEntry["organizer"];
}

/** The same entry as long as it is the same call, moved or not. */
export const callEntry = (booking: Booking, options: CallEntryOptions): CalendarEntry => ({
  uid: `${booking.id}@${options.host}`,
  start: new Date(callStart(booking)),
  end: new Date(callEnd(booking)),
  stamp: new Date(booking.changedAt),
  sequence: booking.sequence,
  summary: options.summary,
  location: options.location || null,
  status: options.isOff ? "CANCELLED" : "CONFIRMED",
  ...(options.organizer && { organizer: options.organizer }),
});
