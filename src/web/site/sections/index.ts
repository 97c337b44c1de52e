/** The sections of the home page in their order: one line adds one (docs/adding-a-section.md). */
import type { ComponentType } from "react";
import type { EntityKey } from "../../../schema/index.ts";
import type { LoadedPage } from "../../content.ts";
import { Hero } from "./Hero.tsx";

/** A section: the entities it reads and the component that shows them (or nothing when empty). */
export interface Section {
  readonly reads: readonly EntityKey[];
  readonly Component: ComponentType<LoadedPage>;
}

export const HOME_SECTIONS: readonly Section[] = [{ reads: ["hero"], Component: Hero }];

export const COACHING_SECTIONS: readonly Section[] = [];

/** What / reads. */
export const HOME_READS: readonly EntityKey[] = HOME_SECTIONS.flatMap((section) => section.reads);

/** What /coaching reads, the enquiry form aside. */
export const COACHING_READS: readonly EntityKey[] = [
  "coachingHero",
  "transformations",
  "transformationSettings",
];
