/** Time as people say it: days, times of day and the zones in which they count, never an offset. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";
import { field, type Field, kind, NOT_TEXT, type Options } from "./kind.ts";

export const TIME_ZONE = kind("timeZone");

/** Whether this machine knows a time zone by its name in the IANA database. */
export function isTimeZone(name: string): boolean {
  try {
    return NAME.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** An offset such as +01:00 is none: it knows no summer. */
const NAME = /^[A-Za-z][\w+/-]{0,59}$/;

/**
 * The name of a time zone, or nothing. One that is stored stays though a newer database has dropped it: what goes by
 * it falls back (server/shared/siteZone.ts).
 */
export function timeZone(label: string, options: Options<string> = {}): Field<string> {
  const schema = v.pipe(
    v.nullable(boundedText(60, NOT_TEXT)),
    v.transform((input) => input ?? ""),
    v.check((name) => name === "" || NAME.test(name), UNKNOWN_ZONE),
  );
  const refuses = (name: string) => (name === "" || isTimeZone(name) ? undefined : UNKNOWN_ZONE);
  return field(TIME_ZONE, label, schema, "", { refuses, ...options });
}

const UNKNOWN_ZONE = "Choose one of the options.";
