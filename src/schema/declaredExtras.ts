/** The declarations of all extras by key, in the order of the gallery and of their tabs. */
import * as announcement from "./announcement.ts";
import type { Extra } from "./extra.ts";
import * as testimonials from "./testimonials.ts";
import * as packages from "./packages.ts";
import * as showreel from "./videos.ts";
import * as dates from "./events.ts";

export const DECLARED = { showreel, dates, testimonials, packages, announcement };

export type ExtraKey = keyof typeof DECLARED;

/** A module that declares an extra; its other exports are entities. */
interface Declaration {
  readonly extra: Extra;
}

/** Browsers load only the declaration of the extra they need (src/build/leftOut.ts). */
export const declarationOf = async (key: string): Promise<Declaration | undefined> =>
  new Map<string, Declaration>(Object.entries(DECLARED)).get(key);
