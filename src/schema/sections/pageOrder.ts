/** The facts about the pages that looks, links and the dashboard depend on; web/site/pages.ts declares the pages. */

/** The path of the page with the first active form, to which many links lead. */
export const COACHING_PATH = "/coaching";

/** The order of the sections on the pages. */
const PAGE_ORDER = ["Hero", "About", "Statistics", "Highlights", "Connect", "Press", "Coaching"];

/** Compares entities by the page order of their sections. Sections that aren't in the order come last. */
export const comparePageOrder = (one: SectionMember, other: SectionMember): number =>
  getSectionPosition(one.section) - getSectionPosition(other.section);

interface SectionMember {
  readonly section: string;
}

const getSectionPosition = (section: string) =>
  PAGE_ORDER.indexOf(section) + 1 || PAGE_ORDER.length + 1;
