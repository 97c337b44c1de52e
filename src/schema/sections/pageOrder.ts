/** The path of the coaching page and the order of sections, without the pages themselves (web/site/pages.ts). */

/** The path of the coaching page, which contains the first active form. */
export const COACHING_PATH = "/coaching";

const PAGE_ORDER = ["Hero", "About", "Statistics", "Highlights", "Connect", "Press", "Coaching"];

/** Compares entities by the order of their sections on the pages. Sections that `PAGE_ORDER` doesn't list come last. */
export const comparePageOrder = (one: SectionMember, other: SectionMember): number =>
  getSectionPosition(one.section) - getSectionPosition(other.section);

interface SectionMember {
  readonly section: string;
}

const getSectionPosition = (section: string) =>
  PAGE_ORDER.indexOf(section) + 1 || PAGE_ORDER.length + 1;
