/** The sections of the public pages in their order: one line adds one (docs/adding-a-section.md). */
import type { ComponentType } from "react";
import type { EntityKey } from "../../../schema/index.ts";
import type { LoadedPage, PageContent } from "../../content.ts";
import { About } from "./About.tsx";
import { Connect } from "./Connect.tsx";
import { Hero } from "./Hero.tsx";
import { Highlights } from "./Highlights.tsx";
import { Press } from "./Press.tsx";

/** A section: the entities it reads and the component that shows them (or nothing when empty). */
export interface Section {
  readonly reads: readonly EntityKey[];
  readonly Component: ComponentType<LoadedPage>;
  /** The button in the navigation bar that leads here; none when `of` is an empty list. */
  readonly button?: { readonly id: string; readonly label: string; readonly of: EntityKey };
}

export const HOME_SECTIONS: readonly Section[] = [
  { reads: ["hero"], Component: Hero },
  {
    reads: ["about", "statistics"],
    Component: About,
    button: { id: "about", label: "About", of: "about" },
  },
  {
    reads: ["highlights", "highlightSettings"],
    Component: Highlights,
    button: { id: "highlights", label: "Highlights", of: "highlights" },
  },
  {
    reads: ["connectLinks", "connectSettings"],
    Component: Connect,
    button: { id: "connect", label: "Connect", of: "connectLinks" },
  },
  { reads: ["pressFeatures", "pressSettings"], Component: Press },
];

/** What / reads. */
export const HOME_READS: readonly EntityKey[] = HOME_SECTIONS.flatMap((section) => section.reads);

/** What /coaching reads, the enquiry form aside. */
export const COACHING_READS: readonly EntityKey[] = [
  "coachingHero",
  "transformations",
  "transformationSettings",
];

/** The buttons of the sections that are shown. */
export function sectionButtons(content: PageContent): { id: string; label: string }[] {
  return HOME_SECTIONS.flatMap(({ button }) => {
    const value = button && content[button.of];
    return value && (!Array.isArray(value) || value.length > 0) ? [button] : [];
  });
}
