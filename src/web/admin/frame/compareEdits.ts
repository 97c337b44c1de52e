/** Formats two versions of a field as text that shows their difference. */
import { valueText } from "../../../schema/entities/changes.ts";
import type { Field } from "../../../schema/kinds/fields.ts";

/** `note` describes a difference that the texts don't show. */
interface EditComparison {
  readonly otherText: string;
  readonly mine: string;
  readonly note: string | undefined;
}

/** `field` is undefined if another release stored the draft. */
export function compareEdits(
  field: Field | undefined,
  otherValue: unknown,
  mine: unknown,
): EditComparison {
  const shown = { otherText: formatValue(field, otherValue), mine: formatValue(field, mine) };
  const note = shown.otherText === shown.mine ? "Only the formatting is different." : undefined;
  return { ...shown, note };
}

function formatValue(field: Field | undefined, value: unknown): string {
  if (typeof value === "boolean") return value ? "On" : "Off";
  const text = field && valueText(field, field.kind.isHtml ? showAddresses(value) : value);
  const shown = text ?? String(value ?? "");
  return shown.replace(/\s+/g, " ").trim() || "(empty)";
}

/** Adds the URLs of links and pictures, which may be the only difference. */
function showAddresses(html: unknown): unknown {
  if (typeof html !== "string") return html;
  return html
    .replace(/<a\b([^<>]*)>((?:[^<]|<(?!\/?a\b))*)<\/a>/g, (link, its: string, text: string) => {
      const address = /\bhref="([^"]*)"/.exec(its)?.[1];
      return address === undefined ? link : `${text} (${address})`;
    })
    .replace(/<img\b[^<>]*>/g, (tag) => {
      const named = [/\balt="([^"]*)"/, /\bsrc="([^"]*)"/].map((part) => part.exec(tag)?.[1]);
      return ` (Image: ${named.filter(Boolean).join(", ")}) `;
    });
}
