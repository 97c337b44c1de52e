/** The sections of the public pages in their order: add one with a line (docs/adding-a-section.md). */
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

/** `id` is the section's on the page. */
export interface SectionButton {
  readonly id: "about" | "showreel" | "dates" | "highlights" | "connect";
  /** Its name in the dashboard; texts on the site go by its id. */
  readonly label: string;
}

/** A section: the entities it reads and the component that shows them (or nothing when empty). */
interface PageSection {
  /** The main entity, then others it shows. */
  readonly entityKeys: readonly [EntityKey, ...EntityKey[]];
  readonly Component: ComponentType<LoadedPage & { readonly sectionIdsBelow?: readonly string[] }>;
  /** Its button in the navigation bar. */
  readonly button?: SectionButton;
  /** Its name in the section order; default: its button's id, or the first entity it reads. */
  readonly name?: string;
  /** Its extra: if that has nothing to show, there is no button. */
  readonly extra?: ExtraKey;
  /** The settings whose `place` sets its pages (schema/sections/sectionSettings.ts). Default: the home page. */
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

/** Sections that can also or only be on the coaching page, in its order. */
const PLACED_SECTIONS = HOME_SECTIONS.filter(({ placementKey }) => placementKey !== undefined);

export const PLACED_ENTITY_KEYS: readonly EntityKey[] = PLACED_SECTIONS.flatMap(
  ({ entityKeys }) => entityKeys,
);

/** Whether a section is on a page, by the settings in its content. */
const isPlacedOn = (
  page: SectionPage,
  { placementKey }: Pick<PageSection, "placementKey">,
  content: PageContent,
): boolean => (placementKey ? isOnPage(page, content[placementKey]) : page === "home");

/** The placed sections of the coaching page. */
export const findCoachingPageSections = (content: PageContent): readonly PageSection[] =>
  PLACED_SECTIONS.filter((section) => isPlacedOn("coaching", section, content));

/** The sections' arrangement in the styles: moved ones in order, and hidden ones. */
interface SectionArrangement {
  readonly sectionOrder: readonly string[];
  readonly hiddenSections: readonly string[];
}

/** Its name in an arrangement. */
export const getSectionName = ({ name, button, entityKeys }: PageSection): string =>
  name ?? button?.id ?? entityKeys[0];

/** The home page's sections as arranged, without hidden ones; the hero is always first. */
export function findVisibleSections(
  { hiddenSections, ...order }: SectionArrangement,
  content: PageContent,
): readonly PageSection[] {
  const isShown = (section: PageSection) =>
    !hiddenSections.includes(getSectionName(section)) && isPlacedOn("home", section, content);
  return arrangeSections(order).filter((section) => section === HERO_SECTION || isShown(section));
}

/** All sections in order; ones not in `sectionOrder` follow their predecessor. */
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

/** The ids of sections below the hero that show something; empty lists don't. */
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

/** The buttons of the bar on /: empty sections have one too (specification, section 2.2), unless they are an extra. */
export const findSectionButtons = (
  sections: readonly PageSection[],
  sectionIdsBelow: readonly string[],
): readonly SectionButton[] =>
  sections
    .filter(
      (section) => section.extra === undefined || sectionIdsBelow.includes(getSectionName(section)),
    )
    .flatMap(({ button }) => button ?? []);
