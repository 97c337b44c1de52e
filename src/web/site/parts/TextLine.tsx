/** A line of the owner's text with better line breaks. */

/** Matches "&" with the next word, and words with a short prefix such as "co-host", if they fit on a line. */
const UNBREAKABLE_PATTERN = /((?<!\S)&\s+\S{1,16}(?!\S)|(?<!\S)[^\s-]{1,3}-\S{1,12}(?!\S))/;

/** Matches a letter of a right-to-left script, such as Hebrew or Arabic. */
const RIGHT_TO_LEFT_PATTERN = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Renders the text, but keeps "&" and the next word, or "co-" and "host", on one line. */
export function TextLine({ text }: { text: string }) {
  // Inline blocks would change the order of words that are written from right to left.
  if (RIGHT_TO_LEFT_PATTERN.test(text)) return text;
  const parts = text.split(UNBREAKABLE_PATTERN);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="together">
        {part}
      </span>
    ),
  );
}
