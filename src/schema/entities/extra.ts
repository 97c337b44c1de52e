/** Extras: optional sections, which are on the page and among the dashboard's tabs only after an owner adds them. */
import type { Entity } from "./entity.ts";

/** An optional section. Its entities have its key as their `extra`. */
export interface Extra {
  readonly label: string;
  /** The extra's purpose, shown in the gallery and beside its tab's title. */
  readonly description: string;
  readonly group: keyof typeof EXTRA_GROUPS;
}

/** The groups of extras on the screen where owners add extras, in the order shown. */
export const EXTRA_GROUPS = { home: "On your home page", coaching: "On your coaching page" };

/** Whether an entity is visible while these extras are on: it belongs to one of them, or to no extra. */
export const isExtraEnabled = ({ extra }: Entity, enabledExtras: readonly string[]): boolean =>
  extra === undefined || enabledExtras.includes(extra);
