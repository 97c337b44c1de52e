/** What a value becomes before it is stored: exactly what reading it back from the disk would give. */
import * as v from "valibot";
import { InvalidValue } from "./storageErrors.ts";

/**
 * Through JSON, then the schema, then deeply frozen. The trip through JSON comes first because a
 * value such as Infinity passes a schema and can not be read back. Raises InvalidValue.
 */
export function canonical<T>(schema: v.GenericSchema<unknown, T>, name: string, value: unknown): T {
  const text = JSON.stringify(value);
  return deepFreeze(fit(schema, name, text === undefined ? undefined : JSON.parse(text)));
}

/** Raises InvalidValue with the places that do not fit, never with the values. */
export function fit<T>(schema: v.GenericSchema<unknown, T>, name: string, value: unknown): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const places = result.issues.map((issue) => v.getDotPath(issue) ?? "the whole");
  const named = [...new Set(places)].slice(0, 5).join(", ");
  throw new InvalidValue(`The value of ${name} does not fit its schema (at ${named}).`);
}

/** For values that came from JSON: a tree of plain objects and arrays. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
