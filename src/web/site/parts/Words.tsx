/** A line of the owner's, set as it should be read. */

/** Words behind an "&" that are short enough to share its line on any page. */
const PAIRED = /(&\s+\S{1,16}(?!\S))/;

/** The text, whose "&" never ends a line nor stands in one alone: it stays with the word behind it. */
export function Words({ text }: { text: string }) {
  const parts = text.split(PAIRED);
  if (parts.length === 1) return text;
  return parts.map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={at} className="together">
        {part}
      </span>
    ),
  );
}
