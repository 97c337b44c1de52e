/** The kind of field with the owner's HTML. */
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { EMPTY, field, type Field, kind, NOT_TEXT, type Options } from "./kind.ts";

export const RICH_TEXT = kind("richText", {
  isHtml: true,
  findPictures: (html) =>
    Array.from(html.matchAll(/<img\s[^<>]*?src="([^"<>]+)"/gi), ([, address = ""]) => address),
  formatText: withoutTags,
});

const LONG_HTML = "This text is too long. The limit is 200 KB, including images.";

/** The owner's HTML, at most 200 KB; the server sanitizes it before storing it. */
export function richText(label: string, options: Options<string> = {}): Field<string> {
  const { maxLength = 200_000, initial = "", required = false } = options;
  const html = v.pipe(
    v.nullable(v.string(NOT_TEXT)),
    v.transform((input) => input ?? ""),
    boundedText(maxLength, NOT_TEXT, LONG_HTML),
    v.check((input) => !required || !isBlankHtml(input), EMPTY),
  );
  return field(RICH_TEXT, label, html, initial, {
    findNewValueProblem: refuseSoup,
    ...options,
    maxLength,
  });
}

/** Far more tags than any page needs. Each takes time to sanitize, and an unclosed tag slows down those after it. */
const MAX_TAGS = 5000;

const SOUP = "This text has too much formatting. Remove some of it or paste it as plain text.";

const refuseSoup = (html: string) =>
  (html.match(/<[/a-z]/gi)?.length ?? 0) > MAX_TAGS ? SOUP : undefined;

/** True when rich text has neither text nor a picture. */
function isBlankHtml(html: string): boolean {
  // The pattern stops at the next tag's start, so unclosed tags cost nothing, however many.
  return !/<img\s/i.test(html) && html.replace(/<[^<>]*>|&nbsp;|\s/g, "") === "";
}

function withoutTags(html: string): string {
  return html
    .replace(/<[^<>]*>/g, " ")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
