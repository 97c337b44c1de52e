/** Fields that hold words. */
import * as v from "valibot";
import { EMPTY, type Field, field, type Options, orNull, words } from "./field.ts";

/** One line of text. */
export function text(label: string, options: Options<string> = {}): Field<string> {
  const { maxLength = 200, initial = "", required = false } = options;
  const schema = required ? v.pipe(words(maxLength), v.nonEmpty(EMPTY)) : nullAsEmpty(maxLength);
  return field("text", label, schema, initial, { ...options, maxLength });
}

const nullAsEmpty = (maxLength: number) =>
  v.pipe(
    v.nullable(v.string("This must be text.")),
    v.transform((input) => input ?? ""),
    words(maxLength),
  );

/** One line of text that may be missing: stored as null then. */
export function optionalText(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  const { maxLength = 200 } = options;
  return field("text", label, orNull(words(maxLength)), null, { ...options, maxLength });
}

/** Several lines of plain text. */
export function longText(label: string, options: Options<string> = {}): Field<string> {
  return { ...text(label, { maxLength: 2000, ...options }), input: "longText" };
}

/** HTML of the owner's; the server cleans it before it is stored (security.md). At most 200 KB. */
export function richText(label: string, options: Options<string> = {}): Field<string> {
  const { maxLength = 200_000, initial = "", required = false } = options;
  const html = v.pipe(
    v.nullable(v.string("This must be text.")),
    v.transform((input) => (input ?? "").trim()),
    v.maxLength(maxLength, "This text is too long: use at most 200 KB, pictures included."),
    v.check((input) => !required || !isBlankHtml(input), EMPTY),
  );
  return field("richText", label, html, initial, { ...options, maxLength });
}

/** True when rich text holds neither words nor a picture. */
function isBlankHtml(html: string): boolean {
  return !/<img\s/i.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, "") === "";
}

/** Choices typed one per line; taken as text or as a list, stored as text (spec section 3). */
export function optionLines(label: string, options: Options<string> = {}): Field<string> {
  const schema = v.pipe(
    v.nullable(v.union([v.string(), v.array(v.string())], "Give one option per line.")),
    v.transform((input) => (Array.isArray(input) ? input.join("\n") : (input ?? ""))),
    words(10_000),
  );
  return field("options", label, schema, "", options);
}
