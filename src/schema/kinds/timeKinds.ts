/** Kinds of time as people give it: days, local times and time zones, never offsets. */
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { EMPTY, field, type Field, kind, NOT_TEXT, type Options, orNull } from "./kind.ts";

export const LOCAL_DAY = kind("day");
export const WALL_TIME = kind("wallTime", {
  formatText: (value: string) => value.replace("T", ", "),
});
export const TIME_ZONE = kind("timeZone");

const WRONG_DAY = "Enter a date such as March 14, 2027.";
const WRONG_TIME = "Enter a time such as 20:00.";

/** A day from 2000 to 2100, as an ISO date. */
const dayText = v.pipe(
  boundedText(10, NOT_TEXT, WRONG_DAY),
  v.check((text) => isDay(text), WRONG_DAY),
);

/** A local date and time, to the minute: `2027-03-14T20:00`. */
const wallText = v.pipe(
  boundedText(16, NOT_TEXT, WRONG_TIME),
  v.nonEmpty(EMPTY),
  v.check((text) => isDay(text.replace(/T.*/s, "")), WRONG_DAY),
  v.check((text) => HOURS.test(text.slice("2027-03-14".length)), WRONG_TIME),
);

function isDay(text: string): boolean {
  const at = DAYS.test(text) ? new Date(`${text}T00:00Z`) : undefined;
  // JavaScript's `Date` turns 30 February into 2 March.
  return at !== undefined && Number(at) > 0 && at.toISOString().startsWith(text);
}

const DAYS = /^(?:20\d\d|2100)-\d\d-\d\d$/;
const HOURS = /^T(?:[01]\d|2[0-3]):[0-5]\d$/;

/** An optional day, null if empty. */
export const day = (label: string, options: Options<string | null> = {}): Field<string | null> =>
  field(LOCAL_DAY, label, orNull(dayText), null, options);

/** A local time in its item's time zone, or else the site's. It is converted to an instant only where needed. */
export const wallTime = (label: string): Field<string> =>
  field(WALL_TIME, label, wallText, "", { required: true });

/** Like `wallTime`, or null. */
export const optionalWallTime = (
  label: string,
  options: Options<string | null> = {},
): Field<string | null> => field(WALL_TIME, label, orNull(wallText), null, options);

/** Whether this machine supports a time zone, by its IANA name. */
export function isTimeZone(name: string): boolean {
  try {
    return NAME.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** Offsets such as +01:00 are rejected: they have no daylight saving time. */
const NAME = /^[A-Za-z][\w+/-]{0,59}$/;

/**
 * A time zone's name, or empty. A stored one stays valid even if a newer database has dropped it; code that uses it
 * falls back (server/shared/siteZone.ts).
 */
export function timeZone(label: string, options: Options<string> = {}): Field<string> {
  const schema = v.pipe(
    v.nullable(boundedText(60, NOT_TEXT)),
    v.transform((input) => input ?? ""),
    v.check((name) => name === "" || NAME.test(name), UNKNOWN_ZONE),
  );
  const refuses = (name: string) => (name === "" || isTimeZone(name) ? undefined : UNKNOWN_ZONE);
  return field(TIME_ZONE, label, schema, "", { findNewValueProblem: refuses, ...options });
}

const UNKNOWN_ZONE = "Choose one of the options.";
