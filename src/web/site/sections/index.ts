/** The sections of the public pages. An entry in `HOME_SECTIONS` adds a section (docs/adding-a-section.md). */
import type { ComponentType } from "react";
import type { ExtraKey } from "../../../schema/sections/extras.ts";
import type { EntityKey, SingletonKey } from "../../../schema/index.ts";
import { type SectionPage, isOnPage } from "../../../schema/sections/sectionSettings.ts";
import type { LoadedPage, PageContent } from "../../shared/content.ts";
import { Dates } from "../extras/Dates.tsx";
import { Packages } from "../extras/Packages.tsx";
import { Showreel } from "../extras/Showreel.tsx";
import { Testimonials } from "../extras/Testimonials.tsx";
import { About } from "./About.tsx";
import { Connect } from "./Connect.tsx";
import { Hero } from "./Hero.tsx";
import { Highlights } from "./Highlights.tsx";
import { Press } from "./Press.tsx";

/** `id` is the id of the section on the page. */
export interface SectionButton {
  readonly id: "about" | "showreel" | "dates" | "highlights" | "connect";
  /** The button's name in the dashboard. On the site, the button's text depends on the id and the language. */
  readonly label: string;
}

/** A section: the entities that it reads, and the component that shows them if they have content. */
interface PageSection {
  /** The entities that the section reads. The first is its main entity. */
  readonly entityKeys: readonly [EntityKey, ...EntityKey[]];
  readonly Component: ComponentType<LoadedPage & { readonly sectionIdsBelow?: readonly string[] }>;
  readonly button?: SectionButton;
  /** The section's name in the section order. Default: the id of its button, or the first entity that it reads. */
  readonly name?: string;
  /** The extra to which the section belongs, if any. An empty extra has no button. */
  readonly extra?: ExtraKey;
  /** The settings whose `place` determines the section's pages (sectionSettings.ts). Default: the home page. */
  readonly placementKey?: SingletonKey;
}

const HERO_SECTION: PageSection = { entityKeys: ["hero"], Component: Hero };

export const HOME_SECTIONS: readonly PageSection[] = [
  HERO_SECTION,
  {
    entityKeys: ["about", "statistics"],
    Component: About,
    button: { id: "about", label: "About" },
  },
  {
    entityKeys: ["videos", "videoSettings"],
    Component: Showreel,
    button: { id: "showreel", label: "Showreel" },
    extra: "showreel",
  },
  {
    entityKeys: ["events", "eventSettings"],
    Component: Dates,
    button: { id: "dates", label: "Dates" },
    extra: "dates",
  },
  {
    entityKeys: ["highlights", "highlightSettings"],
    Component: Highlights,
    button: { id: "highlights", label: "Highlights" },
  },
  {
    entityKeys: ["testimonials", "testimonialSettings"],
    Component: Testimonials,
    extra: "testimonials",
    placementKey: "testimonialSettings",
  },
  {
    entityKeys: ["packages", "packageSettings"],
    Component: Packages,
    extra: "packages",
    placementKey: "packageSettings",
  },
  {
    entityKeys: ["connectLinks", "connectSettings"],
    Component: Connect,
    button: { id: "connect", label: "Connect" },
  },
  { entityKeys: ["pressFeatures", "pressSettings"], Component: Press, name: "press" },
];

export const HOME_ENTITY_KEYS: readonly EntityKey[] = HOME_SECTIONS.flatMap(
  (section) => section.entityKeys,
);

/** The sections that the owner can place on the coaching page, in the order of that page. */
const PLACED_SECTIONS = HOME_SECTIONS.filter(({ placementKey }) => placementKey !== undefined);

export const PLACED_ENTITY_KEYS: readonly EntityKey[] = PLACED_SECTIONS.flatMap(
  ({ entityKeys }) => entityKeys,
);

/** Whether a section is on a page, according to the settings in the page's content. */
const isPlacedOn = (
  page: SectionPage,
  { placementKey }: Pick<PageSection, "placementKey">,
  content: PageContent,
): boolean => (placementKey ? isOnPage(page, content[placementKey]) : page === "home");

export const findCoachingPageSections = (content: PageContent): readonly PageSection[] =>
  PLACED_SECTIONS.filter((section) => isPlacedOn("coaching", section, content));

/** The owner's arrangement of the sections: the names of sections in their order, and the names of hidden sections. */
interface SectionArrangement {
  readonly sectionOrder: readonly string[];
  readonly hiddenSections: readonly string[];
}

/** Returns the name that identifies a section in an arrangement. */
export const getSectionName = ({ name, button, entityKeys }: PageSection): string =>
  name ?? button?.id ?? entityKeys[0];

/** Returns the home page's sections as arranged, without hidden sections. The hero is always first. */
export function findVisibleSections(
  { hiddenSections, ...order }: SectionArrangement,
  content: PageContent,
): readonly PageSection[] {
  const isShown = (section: PageSection) =>
    !hiddenSections.includes(getSectionName(section)) && isPlacedOn("home", section, content);
  return arrangeSections(order).filter((section) => section === HERO_SECTION || isShown(section));
}

/** Returns all sections in the given order. A section that isn't in it follows its predecessor in the default order. */
export function arrangeSections({
  sectionOrder,
}: Pick<SectionArrangement, "sectionOrder">): readonly PageSection[] {
  const movableSections = HOME_SECTIONS.filter((section) => section !== HERO_SECTION);
  const findNamedSections = (name: string) =>
    movableSections.find((section) => getSectionName(section) === name) ?? [];
  const arrangedSections = [HERO_SECTION, ...sectionOrder.flatMap(findNamedSections)];
  let previous = HERO_SECTION;
  for (const section of movableSections) {
    if (!arrangedSections.includes(section))
      arrangedSections.splice(arrangedSections.indexOf(previous) + 1, 0, section);
    previous = section;
  }
  return arrangedSections;
}

/** Returns the ids of the sections below the hero that show something. Empty lists show nothing. */
export const findSectionIdsBelow = (
  sections: readonly PageSection[],
  content: PageContent,
): readonly string[] =>
  sections
    .slice(1)
    .filter(({ entityKeys }) => {
      const mainContent: unknown = content[entityKeys[0]];
      return Array.isArray(mainContent) ? mainContent.length > 0 : mainContent !== undefined;
    })
    .map(getSectionName);

/** Returns the bar's buttons. Empty sections have buttons, too (specification, section 2.2), unless they are extras. */
export const findSectionButtons = (
  sections: readonly PageSection[],
  sectionIdsBelow: readonly string[],
): readonly SectionButton[] =>
  sections
    .filter(
      (section) => section.extra === undefined || sectionIdsBelow.includes(getSectionName(section)),
    )
    .flatMap(({ button }) => button ?? []);
