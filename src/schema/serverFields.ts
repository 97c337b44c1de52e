/** Fields that the server fills in, and ids given by clients. */
import * as v from "valibot";
import { EMPTY, type Field, field } from "./field.ts";

/** An id made by the server: a UUIDv7 string. */
export function id(): Field<string> {
  return field("none", "Id", v.pipe(v.string(), v.maxLength(64)), "", { setBy: "create" });
}

/** The id of another entity, given by the client. */
export function reference(label: string): Field<string> {
  const schema = v.pipe(v.string("This must be an id."), v.nonEmpty(EMPTY), v.maxLength(64));
  return field("none", label, schema, "", { required: true });
}

/** A moment set by the server, as an ISO 8601 text in UTC; null until the first one. */
export function moment(label: string, setBy: "create" | "save"): Field<string | null> {
  return field("none", label, v.nullable(v.pipe(v.string(), v.isoTimestamp())), null, { setBy });
}

/** A value of the server's own, of any shape, which no client sets. */
export function internal<T>(
  label: string,
  schema: v.GenericSchema<unknown, T>,
  initial: T,
): Field<T> {
  return field("none", label, schema, initial, { setBy: "create", audience: "owner" });
}
