/** The hero's tagline, whose parts are separated by bullets (specification, section 3.3). */
import { splitTrimmed } from "../core/splitTrimmed.ts";

/** The non-empty parts, in order. */
export const splitTagline = (tagline: string): string[] => splitTrimmed(tagline, "•");

type HeroLines = Readonly<Record<"mainTitle" | "subtitle" | "tagline", string>>;

/** The parts not already in the title or subtitle: "Performer & coach" leaves none of "Performer • Coach". */
export function findVisibleTaglineParts({ mainTitle, subtitle, tagline }: HeroLines): string[] {
  const statedTerms = new Set([...splitTaglineTerms(mainTitle), ...splitTaglineTerms(subtitle)]);
  return splitTagline(tagline).filter((part) =>
    splitTaglineTerms(part).some((term) => !statedTerms.has(term)),
  );
}

/** A line's words, without the separators. */
const splitTaglineTerms = (line: string) => splitTrimmed(line.toLowerCase(), /[,&+•·|/]|\sand\s/);
