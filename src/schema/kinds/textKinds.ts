/** Kinds of text: one line, several lines, or one choice per line. */
import * as v from "valibot";
import {
  EMPTY,
  field,
  type Field,
  kind,
  NOT_TEXT,
  type Options,
  orNull,
  textSchema,
} from "./kind.ts";

export const TEXT = kind("text", { isCounted: true });
export const LONG_TEXT = kind("longText", { isCounted: true });
export const OPTIONS = kind("options");

export function text(label: string, options: Options<string> = {}): Field<string> {
  const { maxLength = 200, initial = "", required = false } = options;
  const schema = required
    ? v.pipe(textSchema(maxLength), v.nonEmpty(EMPTY))
    : nullAsEmpty(maxLength);
  return field(TEXT, label, schema, initial, { ...options, maxLength });
}

const nullAsEmpty = (maxLength: number) =>
  v.pipe(
    v.nullable(v.string(NOT_TEXT)),
    v.transform((input) => input ?? ""),
    textSchema(maxLength),
  );

/** An optional line of text, null if empty. */
export function optionalText(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  const { maxLength = 200, initial = null } = options;
  return field(TEXT, label, orNull(textSchema(maxLength)), initial, { ...options, maxLength });
}

/** Multi-line text; at most 2,000 characters by default. */
export function longText(label: string, options: Options<string> = {}): Field<string> {
  return { ...text(label, { maxLength: 2000, ...options }), kind: LONG_TEXT };
}

/** Choices, one per line; accepted as text or as a list, stored as text (specification, section 3.11). */
export function optionLines(label: string, options: Options<string> = {}): Field<string> {
  const schema = v.pipe(
    v.nullable(v.union([v.string(), v.array(v.string())], "Enter one option per line.")),
    v.transform((input) => (Array.isArray(input) ? input.join("\n") : (input ?? ""))),
    textSchema(10_000),
  );
  return field(OPTIONS, label, schema, "", options);
}
