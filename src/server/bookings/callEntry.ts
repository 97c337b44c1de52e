/** A call as a calendar entry. */
import type { Booking } from "../../schema/enquiry/calls.ts";
import type { CalendarEntry } from "../shared/calendarFile.ts";
import { callEnd, callStart } from "../shared/callTimes.ts";

export interface CallEntryOptions {
  readonly host: string;
  readonly summary: string;
  readonly location: string;
  readonly isCanceled?: boolean;
  readonly organizer?: CalendarEntry["organizer"];
}

/** The uid is the same after the call is moved. */
export const callEntry = (booking: Booking, options: CallEntryOptions): CalendarEntry => ({
  uid: `${booking.id}@${options.host}`,
  start: new Date(callStart(booking)),
  end: new Date(callEnd(booking)),
  stamp: new Date(booking.changedAt),
  sequence: booking.sequence,
  summary: options.summary,
  location: options.location || null,
  status: options.isCanceled ? "CANCELLED" : "CONFIRMED",
  ...(options.organizer && { organizer: options.organizer }),
});
