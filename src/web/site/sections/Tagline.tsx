/** The hero's tagline: its parts between bullets. */

/** Shows the parts in a row; on a narrow page in two columns (spec section 2, Hero). */
export function Tagline({ text }: { text: string }) {
  const parts = text.split("•").map((part) => part.trim());
  return (
    <ul className="tagline">
      {parts.filter(Boolean).map((part) => (
        <li key={part}>{part}</li>
      ))}
    </ul>
  );
}
