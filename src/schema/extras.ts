/** What an owner may add to the site; what isn't added is neither on a page nor a tab. */
import type { Entity } from "./entity.ts";

/** Something that a site does without until its owner adds it. */
export interface Extra {
  readonly key: string;
  readonly label: string;
  /** What it is for, in the gallery and beside the title of its tab. */
  readonly sentence: string;
  readonly group: keyof typeof EXTRA_GROUPS;
  /** Its entities by their keys; each names it as its `extra`. */
  readonly entities: readonly string[];
}

/** The groups of the gallery, in their order. */
export const EXTRA_GROUPS = { home: "On your home page" };

/** In the order of the gallery and of their tabs. */
export const EXTRAS = [
  {
    key: "showreel",
    label: "Showreel",
    sentence: "Your videos, playing in place.",
    group: "home",
    entities: ["videos", "videoSettings"],
  },
  {
    key: "dates",
    label: "Dates",
    sentence: "Where to see you next, with tickets.",
    group: "home",
    entities: ["events", "eventSettings"],
  },
  {
    key: "announcement",
    label: "Announcement",
    sentence: "One line above everything, until a day you choose.",
    group: "home",
    entities: ["announcement"],
  },
] as const satisfies readonly Extra[];

export type ExtraKey = (typeof EXTRAS)[number]["key"];

/** Whether visitors see an entity at all while these extras are `on`. */
export const isAdded = ({ extra }: Entity, on: readonly string[]): boolean =>
  extra === undefined || on.includes(extra);
