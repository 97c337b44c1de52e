/** The kinds of field for text: one line, several lines, options (one per line), and HTML. */
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { splitTrimmed } from "../core/splitTrimmed.ts";
import {
  EMPTY_MESSAGE,
  field,
  type Field,
  kind,
  NOT_TEXT_MESSAGE,
  type FieldOptions,
  orNull,
  textSchema,
} from "./kind.ts";

export const TEXT = kind("text", { hasCounter: true });
export const LONG_TEXT = kind("longText", { hasCounter: true });
export const OPTIONS = kind("options");
export const RICH_TEXT = kind("richText", {
  isHtml: true,
  findPictures: (html) =>
    Array.from(html.matchAll(/<img\s[^<>]*?src="([^"<>]+)"/gi), ([, address = ""]) => address),
  formatText: convertHtmlToText,
});

export function text(label: string, options: FieldOptions<string> = {}): Field<string> {
  const { maxLength = 200, initial = "", required = false } = options;
  const schema = required
    ? v.pipe(textSchema(maxLength), v.nonEmpty(EMPTY_MESSAGE))
    : createNullableTextSchema(maxLength);
  return field(TEXT, label, schema, initial, { ...options, maxLength });
}

const createNullableTextSchema = (maxLength: number) =>
  v.pipe(
    v.nullable(v.string(NOT_TEXT_MESSAGE)),
    v.transform((input) => input ?? ""),
    textSchema(maxLength),
  );

export function optionalText(
  label: string,
  options: FieldOptions<string | null> = {},
): Field<string | null> {
  const { maxLength = 200, initial = null } = options;
  return field(TEXT, label, orNull(textSchema(maxLength)), initial, { ...options, maxLength });
}

/** Declares a text of several lines, by default with at most 2,000 characters. */
export function longText(label: string, options: FieldOptions<string> = {}): Field<string> {
  return { ...text(label, { maxLength: 2000, ...options }), kind: LONG_TEXT };
}

/** Declares options, one per line. Clients may send a list, but a text is stored (specification, section 3.11). */
export function optionLines(label: string): Field<string> {
  const schema = v.pipe(
    v.nullable(v.union([v.string(), v.array(v.string())], "Enter one option per line.")),
    v.transform((input) => (Array.isArray(input) ? input.join("\n") : (input ?? ""))),
    textSchema(10_000),
  );
  return field(OPTIONS, label, schema, "");
}

/** Declares a text of at most `maxLines` lines, stored as typed. Commas don't separate entries, unlike in options. */
export const textLines = (
  label: string,
  maxLines: number,
  options: FieldOptions<string> = {},
): Field<string> =>
  longText(label, {
    hint: `One per line, up to ${maxLines}.`,
    findNewValueProblem: (text) =>
      splitLines(text).length > maxLines ? `Use at most ${maxLines} lines.` : undefined,
    ...options,
  });

export const splitLines = (text: string): string[] => splitTrimmed(text, "\n");

const HTML_TOO_LONG_MESSAGE = "This text is too long. The limit is 200 KB, including images.";

/** Declares HTML of at most 200 KB by default, which the server sanitizes before storing it. */
export function richText(label: string, options: FieldOptions<string> = {}): Field<string> {
  const { maxLength = 200_000, initial = "", required = false } = options;
  const htmlSchema = v.pipe(
    v.nullable(v.string(NOT_TEXT_MESSAGE)),
    v.transform((input) => input ?? ""),
    boundedText(maxLength, NOT_TEXT_MESSAGE, HTML_TOO_LONG_MESSAGE),
    v.check((input) => !required || !isBlankHtml(input), EMPTY_MESSAGE),
  );
  return field(RICH_TEXT, label, htmlSchema, initial, {
    findNewValueProblem: findTagCountProblem,
    ...options,
    maxLength,
  });
}

/** The maximum number of tags, more than any text needs. Many tags, above all unclosed ones, take long to sanitize. */
const MAX_TAGS = 5000;

const TOO_MANY_TAGS_MESSAGE =
  "This text has too much formatting. Remove some of it or paste it as plain text.";

const findTagCountProblem = (html: string) =>
  (html.match(/<[/a-z]/gi)?.length ?? 0) > MAX_TAGS ? TOO_MANY_TAGS_MESSAGE : undefined;

function isBlankHtml(html: string): boolean {
  // The pattern `<[^<>]*>` stops at the next `<`, so it takes linear time even if many tags aren't closed.
  return !/<img\s/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/g, "") === "";
}

function convertHtmlToText(html: string): string {
  return html
    .replace(/<[^<>]*>/g, " ")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
