/** What an owner may add to the site; what isn't added is neither on a page nor a tab. */
import type { Entity } from "./entity.ts";

/** Something that a site does without until its owner adds it; its entities name it as their `extra`. */
export interface Extra {
  readonly label: string;
  /** What it is for, in the gallery and beside the title of its tab. */
  readonly sentence: string;
  readonly group: keyof typeof EXTRA_GROUPS;
}

/** The groups of the gallery, in their order. */
export const EXTRA_GROUPS = { home: "On your home page", coaching: "On your coaching page" };

/** Whether visitors see an entity at all while these extras are `on`. */
export const isAdded = ({ extra }: Entity, on: readonly string[]): boolean =>
  extra === undefined || on.includes(extra);
