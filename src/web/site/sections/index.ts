/** The sections of the public pages in their order: one line adds one (docs/adding-a-section.md). */
import type { ComponentType } from "react";
import type { ExtraKey } from "../../../schema/declaredExtras.ts";
import type { EntityKey, SingletonKey } from "../../../schema/index.ts";
import { type SectionPage, standsOn } from "../../../schema/sectionPlace.ts";
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

/** `id` is the section's in the page. */
export interface SectionButton {
  readonly id: "about" | "showreel" | "dates" | "highlights" | "connect";
  /** Its name in the dashboard; the site's own words are by its id. */
  readonly label: string;
}

/** A section: the entities it reads and the component that shows them (or nothing when empty). */
export interface Section {
  /** What it is about, then what else it shows. */
  readonly reads: readonly [EntityKey, ...EntityKey[]];
  readonly Component: ComponentType<LoadedPage & { readonly below?: readonly string[] }>;
  /** The button in the navigation bar that leads here. */
  readonly button?: SectionButton;
  /** Its name in the order of the sections; by default that of its button, or of the first that it reads. */
  readonly name?: string;
  /** The extra that it is part of: without anything to show it has no button either. */
  readonly extra?: ExtraKey;
  /** The settings whose `place` says on which pages it stands (schema/sectionPlace.ts). Default: on the home page. */
  readonly placedBy?: SingletonKey;
}

const HERO: Section = { reads: ["hero"], Component: Hero };

export const HOME_SECTIONS: readonly Section[] = [
  HERO,
  {
    reads: ["about", "statistics"],
    Component: About,
    button: { id: "about", label: "About" },
  },
  {
    reads: ["videos", "videoSettings"],
    Component: Showreel,
    button: { id: "showreel", label: "Showreel" },
    extra: "showreel",
  },
  {
    reads: ["events", "eventSettings"],
    Component: Dates,
    button: { id: "dates", label: "Dates" },
    extra: "dates",
  },
  {
    reads: ["highlights", "highlightSettings"],
    Component: Highlights,
    button: { id: "highlights", label: "Highlights" },
  },
  {
    reads: ["testimonials", "testimonialSettings"],
    Component: Testimonials,
    name: "testimonials",
    extra: "testimonials",
    placedBy: "testimonialSettings",
  },
  {
    reads: ["packages", "packageSettings"],
    Component: Packages,
    name: "packages",
    extra: "packages",
    placedBy: "packageSettings",
  },
  {
    reads: ["connectLinks", "connectSettings"],
    Component: Connect,
    button: { id: "connect", label: "Connect" },
  },
  { reads: ["pressFeatures", "pressSettings"], Component: Press, name: "press" },
];

export const HOME_READS: readonly EntityKey[] = HOME_SECTIONS.flatMap((section) => section.reads);

/** Those that may stand on the coaching page instead or as well, there in this order. */
const PLACED_SECTIONS = HOME_SECTIONS.filter(({ placedBy }) => placedBy !== undefined);

export const PLACED_READS: readonly EntityKey[] = PLACED_SECTIONS.flatMap(({ reads }) => reads);

/** Whether a section stands on a page, as the settings among its content say. */
const isPlacedOn = (
  page: SectionPage,
  { placedBy }: Pick<Section, "placedBy">,
  content: PageContent,
): boolean => (placedBy ? standsOn(page, content[placedBy]) : page === "home");

/** The sections that the coaching page shows besides its own. */
export const coachingSections = (content: PageContent): readonly Section[] =>
  PLACED_SECTIONS.filter((section) => isPlacedOn("coaching", section, content));

/** What the styles say of the sections: those that were moved, in their order, and those that are hidden. */
interface Arrangement {
  readonly sectionOrder: readonly string[];
  readonly hiddenSections: readonly string[];
}

/** Its name in an arrangement. */
export const nameOf = ({ name, button, reads }: Section): string => name ?? button?.id ?? reads[0];

/** The home page's sections as the owner has arranged them, without the hidden ones; the hero stays first. */
export function shownSections(
  { hiddenSections, ...order }: Arrangement,
  content: PageContent,
): readonly Section[] {
  const shown = (section: Section) =>
    !hiddenSections.includes(nameOf(section)) && isPlacedOn("home", section, content);
  return arrangedSections(order).filter((section) => section === HERO || shown(section));
}

/** All sections in their order; one that the order doesn't name stands behind the one before it. */
export function arrangedSections({
  sectionOrder,
}: Pick<Arrangement, "sectionOrder">): readonly Section[] {
  const others = HOME_SECTIONS.filter((section) => section !== HERO);
  const named = (name: string) => others.find((section) => nameOf(section) === name) ?? [];
  const arranged = [HERO, ...sectionOrder.flatMap(named)];
  let before = HERO;
  for (const section of others) {
    if (!arranged.includes(section)) arranged.splice(arranged.indexOf(before) + 1, 0, section);
    before = section;
  }
  return arranged;
}

/** The ids of those below the hero that show something: a list without items is left out. */
export const idsBelow = (sections: readonly Section[], content: PageContent): readonly string[] =>
  sections
    .slice(1)
    .filter(({ reads }) => {
      const shown: unknown = content[reads[0]];
      return Array.isArray(shown) ? shown.length > 0 : shown !== undefined;
    })
    .map(nameOf);

/** The buttons of the bar on /, also of sections that are empty (specification, section 2.2) unless they are an extra. */
export const buttonsOf = (
  sections: readonly Section[],
  below: readonly string[],
): readonly SectionButton[] =>
  sections
    .filter((section) => section.extra === undefined || below.includes(nameOf(section)))
    .flatMap(({ button }) => button ?? []);
