/** The declarations of all extras by their keys, in the order of the gallery and of their tabs. */
import * as announcement from "./announcement.ts";
import type { Extra } from "./extra.ts";
import * as testimonials from "./testimonials.ts";
import * as packages from "./packages.ts";
import * as showreel from "./videos.ts";
import * as dates from "./events.ts";

export const DECLARED = { showreel, dates, testimonials, packages, announcement };

export type ExtraKey = keyof typeof DECLARED;

/** What a declaration says of its extra; all else in it are entities. */
interface Declaration {
  readonly extra: Extra;
}

/** A browser fetches the declaration of an extra here, and of no other (src/build/leftOut.ts). */
export const declarationOf = async (key: string): Promise<Declaration | undefined> =>
  new Map<string, Declaration>(Object.entries(DECLARED)).get(key);
