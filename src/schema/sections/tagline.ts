/** The hero's tagline, whose parts are separated by bullets (specification, section 3.3). */

/** The non-empty parts, in order. */
export function splitTagline(tagline: string): string[] {
  return tagline
    .split("•")
    .map((part) => part.trim())
    .filter(Boolean);
}

/** The hero's lines, for comparison. */
interface HeroLines {
  readonly mainTitle: string;
  readonly subtitle: string;
  readonly tagline: string;
}

/** The parts not already in the title or subtitle: "Performer & coach" leaves none of "Performer • Coach". */
export function findVisibleTaglineParts({ mainTitle, subtitle, tagline }: HeroLines): string[] {
  const statedTerms = new Set([...splitTaglineTerms(mainTitle), ...splitTaglineTerms(subtitle)]);
  return splitTagline(tagline).filter((part) =>
    splitTaglineTerms(part).some((term) => !statedTerms.has(term)),
  );
}

/** A line's words, without the separators. */
const splitTaglineTerms = (line: string) =>
  line
    .toLowerCase()
    .split(/[,&+•·|/]|\sand\s/)
    .map((term) => term.trim())
    .filter(Boolean);
