/** The sections of the public pages in their order: one line adds one (docs/adding-a-section.md). */
import type { ComponentType } from "react";
import type { EntityKey } from "../../../schema/index.ts";
import type { LoadedPage } from "../../shared/content.ts";
import { About } from "./About.tsx";
import { Connect } from "./Connect.tsx";
import { Hero } from "./Hero.tsx";
import { Highlights } from "./Highlights.tsx";
import { Press } from "./Press.tsx";

/** `id` is the section's in the page. */
export interface SectionButton {
  readonly id: string;
  readonly label: string;
}

/** A section: the entities it reads and the component that shows them (or nothing when empty). */
export interface Section {
  readonly reads: readonly EntityKey[];
  readonly Component: ComponentType<LoadedPage>;
  /** The button in the navigation bar that leads here. */
  readonly button?: SectionButton;
}

export const HOME_SECTIONS: readonly Section[] = [
  { reads: ["hero"], Component: Hero },
  {
    reads: ["about", "statistics"],
    Component: About,
    button: { id: "about", label: "About" },
  },
  {
    reads: ["highlights", "highlightSettings"],
    Component: Highlights,
    button: { id: "highlights", label: "Highlights" },
  },
  {
    reads: ["connectLinks", "connectSettings"],
    Component: Connect,
    button: { id: "connect", label: "Connect" },
  },
  { reads: ["pressFeatures", "pressSettings"], Component: Press },
];

export const HOME_READS: readonly EntityKey[] = HOME_SECTIONS.flatMap((section) => section.reads);

/** The buttons of the bar on /, also of sections that are empty (specification, section 2.2). */
export const HOME_BUTTONS: readonly SectionButton[] = HOME_SECTIONS.flatMap(
  ({ button }) => button ?? [],
);
