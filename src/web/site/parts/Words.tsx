/** A line of the owner's, set as it should be read. */

/** Words behind an "&", and those with a short beginning such as "co-host", when they fit a line of any page. */
const PAIRED = /(&\s+\S{1,16}(?!\S)|(?<!\S)[^\s-]{1,3}-\S{1,12}(?!\S))/;

/**
 * The text, whose "&" never ends a line nor stands in one alone: it stays with the word behind it, as the "co-" of
 * a co-host does.
 */
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
