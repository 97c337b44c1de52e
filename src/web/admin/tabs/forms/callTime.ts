/** A call's time, for the owner. */
import { format, parseISO } from "date-fns";
import type { Booking } from "../../../../schema/calls.ts";
import type { Submission } from "../../../../schema/visitors.ts";
import { countedIn } from "../../../shared/wallClock.ts";

/** Sun 14 Mar, 20:00 */
export const timeOf = ({ at, zone }: Booking) =>
  format(parseISO(countedIn(at, zone)), "EEE d MMM, HH:mm");

/** An enquiry's call that isn't over. */
export const callToCome = ({ booked, callsUntil }: Submission): Booking | null =>
  callsUntil !== null && Date.parse(callsUntil) > Date.now() ? booked : null;
