/** What no form shows: ids, moments, the server's own values, and what a screen of its own sets. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";
import { EMPTY, field, type Field, NOT_TEXT, unseenKind } from "./kind.ts";

export const UNSEEN = unseenKind("none");
export const NAMES = unseenKind("names");
export const POINT = unseenKind("point");
export const CUTS = unseenKind("cuts");

/** An id made by the server: a UUIDv7 string. */
export function id(): Field<string> {
  return field(UNSEEN, "Id", v.pipe(v.string(), v.maxLength(64)), "", { setBy: "create" });
}

/** The id of another entity, given by the client. */
export function reference(label: string): Field<string> {
  const schema = v.pipe(v.string("This must be an id."), v.nonEmpty(EMPTY), v.maxLength(64));
  return field(UNSEEN, label, schema, "", { required: true });
}

/** A moment set by the server, as an ISO 8601 text in UTC; null until the first one. */
export function moment(
  label: string,
  setBy: "create" | "save" | "server",
  options: Pick<Field, "ahead"> = {},
): Field<string | null> {
  const time = v.pipe(boundedText(40, NOT_TEXT), v.isoTimestamp());
  return field(UNSEEN, label, v.nullable(time), null, { setBy, ...options });
}

/** A value of the server's own, of any shape, which no client sets. */
export function internal<T>(
  label: string,
  schema: v.GenericSchema<unknown, T>,
  initial: T,
): Field<T> {
  return field(UNSEEN, label, schema, initial, { setBy: "create", audience: "owner" });
}

/** What a visit leaves behind unasked, such as an IP address: kept for the retention days only. */
export function trace(label: string): Field<string | null> {
  return { ...internal(label, v.nullable(v.string()), null), personal: "trace" };
}

/** Keys of the program's own, such as sections, in an order that means something; at most 100. */
export function names(label: string): Field<readonly string[]> {
  const key = v.pipe(
    boundedText(60, "This must be a name."),
    v.regex(/^[A-Za-z][\w-]{0,59}$/, "Enter a valid name."),
  );
  const schema = v.pipe(
    v.array(key, "This must be a list of names."),
    v.maxLength(100, "This list is too long."),
    v.check((list) => new Set(list).size === list.length, "This name is listed twice."),
  );
  return field<readonly string[]>(NAMES, label, schema, []);
}
