/** The order of the sections on the pages, which looks and the dashboard follow. */
const PAGE_ORDER = ["Hero", "About", "Statistics", "Highlights", "Connect", "Press", "Coaching"];

/** Sorts entities by the page order of their sections; others come last. */
export const comparePageOrder = (one: SectionMember, other: SectionMember): number =>
  sectionPosition(one.section) - sectionPosition(other.section);

interface SectionMember {
  readonly section: string;
}

const sectionPosition = (section: string) =>
  PAGE_ORDER.indexOf(section) + 1 || PAGE_ORDER.length + 1;
