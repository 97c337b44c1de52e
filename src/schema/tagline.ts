/** The hero's tagline: its parts stand between bullets (specification, section 3.3). */

/** The parts that say something, in their order. */
export function taglineParts(tagline: string): string[] {
  return tagline
    .split("•")
    .map((part) => part.trim())
    .filter(Boolean);
}

/** The hero's lines, as they are compared. */
interface HeroLines {
  readonly mainTitle: string;
  readonly subtitle: string;
  readonly tagline: string;
}

/** The parts that neither the title nor the subtitle says: "Performer & coach" leaves none of "Performer • Coach". */
export function shownTagline({ mainTitle, subtitle, tagline }: HeroLines): string[] {
  const said = new Set([...factsIn(mainTitle), ...factsIn(subtitle)]);
  return taglineParts(tagline).filter((part) => factsIn(part).some((fact) => !said.has(fact)));
}

/** What a line says, without what joins it. */
const factsIn = (line: string) =>
  line
    .toLowerCase()
    .split(/[,&+•·|/]|\sand\s/)
    .map((fact) => fact.trim())
    .filter(Boolean);
