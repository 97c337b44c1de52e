/**
 * The web build inside the executable. `build.ts` puts another module in this one's place that imports
 * every built file; run from source there is none, and the files are read from dist/web.
 */
import type { WebBuild } from "./webBuild.ts";

export const embeddedWeb: WebBuild | undefined = undefined;
