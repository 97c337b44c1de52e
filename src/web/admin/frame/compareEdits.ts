/** Two versions of a field as text, side by side, so that the difference is visible. */
import { valueText } from "../../../schema/entities/changes.ts";
import type { Field } from "../../../schema/kinds/fields.ts";

/** Both values as text, and a note on differences that text doesn't show. */
interface EditComparison {
  readonly otherText: string;
  readonly mine: string;
  readonly note: string | undefined;
}

/** `field` is undefined for drafts of another release. */
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

/** Rich text with the addresses of links and pictures as text: only they may differ. */
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
