/** Splits the hero's tagline into its parts, which are separated by bullets (specification, section 3.3). */
import { splitTrimmed } from "../core/splitTrimmed.ts";

export const splitTagline = (tagline: string): string[] => splitTrimmed(tagline, "•");

type HeroLines = Readonly<Record<"mainTitle" | "subtitle" | "tagline", string>>;

/**
 * Returns the tagline's parts that the title and subtitle don't already contain. With the subtitle "Performer & coach",
 * no part of the tagline "Performer • Coach" remains.
 */
export function findVisibleTaglineParts({ mainTitle, subtitle, tagline }: HeroLines): string[] {
  const statedTerms = new Set([...splitTaglineTerms(mainTitle), ...splitTaglineTerms(subtitle)]);
  return splitTagline(tagline).filter((part) =>
    splitTaglineTerms(part).some((term) => !statedTerms.has(term)),
  );
}

/** Splits a text into lower-case terms at punctuation and "and". A term may have several words. */
const splitTaglineTerms = (line: string) => splitTrimmed(line.toLowerCase(), /[,&+•·|/]|\sand\s/);
