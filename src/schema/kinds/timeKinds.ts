/** The kinds of field for times as people enter them: local times, and time zones by name. */
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import {
  EMPTY_MESSAGE,
  field,
  type Field,
  kind,
  NOT_TEXT_MESSAGE,
  type FieldOptions,
  orNull,
} from "./kind.ts";

export const WALL_TIME = kind("wallTime", {
  formatText: (value: string) => value.replace("T", ", "),
});
export const TIME_ZONE = kind("timeZone");

const INVALID_DAY_MESSAGE = "Enter a date such as March 14, 2027.";
const INVALID_TIME_MESSAGE = "Enter a time such as 20:00.";

/** The schema of a day from 2000 to 2100, an ISO date or null. */
export const optionalDaySchema = orNull(
  v.pipe(
    boundedText(10, NOT_TEXT_MESSAGE, INVALID_DAY_MESSAGE),
    v.check((text) => isDay(text), INVALID_DAY_MESSAGE),
  ),
);

/** The schema of a local date and time in minutes, from 2000 to 2100, such as `2027-03-14T20:00`. */
const wallTimeSchema = v.pipe(
  boundedText(16, NOT_TEXT_MESSAGE, INVALID_TIME_MESSAGE),
  v.nonEmpty(EMPTY_MESSAGE),
  v.check((text) => isDay(text.replace(/T.*/s, "")), INVALID_DAY_MESSAGE),
  v.check((text) => TIME_PATTERN.test(text.slice("2027-03-14".length)), INVALID_TIME_MESSAGE),
);

function isDay(text: string): boolean {
  const date = DAY_PATTERN.test(text) ? new Date(`${text}T00:00Z`) : undefined;
  // `Date` doesn't refuse February 30, but turns it into March 2, which `startsWith` then detects.
  return date !== undefined && Number(date) > 0 && date.toISOString().startsWith(text);
}

const DAY_PATTERN = /^(?:20\d\d|2100)-\d\d-\d\d$/;
const TIME_PATTERN = /^T(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Declares a local time in the time zone of its item, or of the site if the item has none. */
export const wallTime = (label: string): Field<string> =>
  field(WALL_TIME, label, wallTimeSchema, "", { required: true });

export const optionalWallTime = (
  label: string,
  options: FieldOptions<string | null> = {},
): Field<string | null> => field(WALL_TIME, label, orNull(wallTimeSchema), null, options);

/** Whether this machine knows the time zone with this IANA name. */
export function isTimeZone(name: string): boolean {
  try {
    return (
      ZONE_NAME_PATTERN.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }))
    );
  } catch {
    return false;
  }
}

/** Matches names of time zones. Offsets such as +01:00 don't match, since they have no daylight saving time. */
const ZONE_NAME_PATTERN = /^[A-Za-z][\w+/-]{0,59}$/;

/**
 * Declares a time zone's IANA name; empty for none. A stored name that this machine doesn't know remains valid; the
 * server then uses another zone (server/shared/siteZone.ts).
 */
export function timeZone(label: string): Field<string> {
  const schema = v.pipe(
    v.nullable(boundedText(60, NOT_TEXT_MESSAGE)),
    v.transform((input) => input ?? ""),
    v.check((name) => name === "" || ZONE_NAME_PATTERN.test(name), UNKNOWN_ZONE_MESSAGE),
  );
  const findZoneProblem = (name: string) =>
    name === "" || isTimeZone(name) ? undefined : UNKNOWN_ZONE_MESSAGE;
  return field(TIME_ZONE, label, schema, "", { findNewValueProblem: findZoneProblem });
}

const UNKNOWN_ZONE_MESSAGE = "Choose one of the options.";
