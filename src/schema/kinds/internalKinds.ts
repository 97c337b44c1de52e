/** The kinds of field without an input in forms, such as ids, timestamps, and values with a special editor. */
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { ANSWER_REFUSALS } from "../core/refusals.ts";
import { EMPTY_MESSAGE, field, type Field, NOT_TEXT_MESSAGE, internalKind } from "./kind.ts";

export const INTERNAL = internalKind("none");
export const NAMES = internalKind("names");
export const POINT = internalKind("point");
export const CROPS = internalKind("cuts");
export const CONDITION = internalKind("condition");

/** Declares an id that the server assigns: a UUIDv7 string. */
export function id(): Field<string> {
  return field(INTERNAL, "Id", v.pipe(v.string(), v.maxLength(64)), "", { setBy: "create" });
}

/** Declares the id of another item, which the client sends. */
export function reference(label: string): Field<string> {
  const schema = v.pipe(
    v.string("This must be an ID."),
    v.nonEmpty(EMPTY_MESSAGE),
    v.maxLength(64),
  );
  return field(INTERNAL, label, schema, "", { required: true });
}

/** Declares a time that the server sets, ISO 8601 in UTC; null until it is set. */
export function timestamp(
  label: string,
  setBy: "create" | "save" | "change" | "server",
  options: Partial<Pick<Field, "offsetMs" | "audience">> = {},
): Field<string | null> {
  const time = v.pipe(boundedText(40, NOT_TEXT_MESSAGE), v.isoTimestamp());
  return field(INTERNAL, label, v.nullable(time), null, { setBy, ...options });
}

/** Declares a value of any type that only the server can set. */
export function internal<T>(
  label: string,
  schema: v.GenericSchema<unknown, T>,
  initial: T,
): Field<T> {
  return field(INTERNAL, label, schema, initial, { setBy: "create", audience: "owner" });
}

/** Declares a trace of a visit, such as an IP address. The server removes it after the retention period. */
export function trace(label: string): Field<string | null> {
  return { ...internal(label, v.nullable(v.string()), null), personal: "trace" };
}

/** Declares an ordered list of at most 100 keys, such as those of sections. */
export function nameList(label: string): Field<readonly string[]> {
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

/** A condition that is met if the answer to the question `fieldId` is or includes one of `values`. */
export interface Condition {
  readonly fieldId: string;
  readonly values: readonly string[];
}

const INVALID_CHOICE_MESSAGE = ANSWER_REFUSALS.chooseSome;
const MAX_CONDITION_VALUES = 20;

/** Declares the condition under which a step or question is shown; null without a condition. */
export function condition(label: string): Field<Condition | null> {
  const value = v.pipe(
    boundedText(500, INVALID_CHOICE_MESSAGE),
    v.nonEmpty(INVALID_CHOICE_MESSAGE),
  );
  const values = v.pipe(
    v.array(value, INVALID_CHOICE_MESSAGE),
    v.minLength(1, ANSWER_REFUSALS.choose),
    v.maxLength(
      MAX_CONDITION_VALUES,
      ANSWER_REFUSALS.chosenTooMany.replace("{most}", String(MAX_CONDITION_VALUES)),
    ),
  );
  const schema = v.object(
    { fieldId: boundedText(64, INVALID_CHOICE_MESSAGE), values },
    INVALID_CHOICE_MESSAGE,
  );
  return field<Condition | null>(CONDITION, label, v.nullable(schema), null);
}
