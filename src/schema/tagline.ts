/** The hero's tagline: its parts stand between bullets (specification, section 3.3). */

/** The parts that say something, in their order. */
export function taglineParts(tagline: string): string[] {
  return tagline
    .split("•")
    .map((part) => part.trim())
    .filter(Boolean);
}
