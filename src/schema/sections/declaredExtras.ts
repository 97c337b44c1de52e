/** The declarations of all extras by key, in the order of the gallery and of their tabs. */
import * as announcement from "./announcement.ts";
import * as testimonials from "./testimonials.ts";
import * as packages from "./packages.ts";
import * as showreel from "./videos.ts";
import * as dates from "./events.ts";

export const EXTRA_MODULES = { showreel, dates, testimonials, packages, announcement };

export type ExtraKey = keyof typeof EXTRA_MODULES;
