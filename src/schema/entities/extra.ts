/** Optional sections. Until an owner adds one, it is neither on a page nor among the dashboard's tabs. */
import type { Entity } from "./entity.ts";

/** An optional section; its entities name it as their `extra`. */
export interface Extra {
  readonly label: string;
  /** The extra's purpose, shown in the gallery and beside its tab's title. */
  readonly description: string;
  readonly group: keyof typeof EXTRA_GROUPS;
}

/** The gallery's groups, in order. */
export const EXTRA_GROUPS = { home: "On your home page", coaching: "On your coaching page" };

/** Whether visitors can see an entity while these extras are on. */
export const isExtraEnabled = ({ extra }: Entity, enabledExtras: readonly string[]): boolean =>
  extra === undefined || enabledExtras.includes(extra);
