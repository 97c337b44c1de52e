/** A site of the built program for all the tests of a file that look at it in a browser. */
import { afterAll, setDefaultTimeout } from "bun:test";
import { closeBrowser } from "./browser.ts";
import { type ProgramOptions, type ProgramSite, startProgram } from "./program.ts";
import { siteForAll } from "./siteForAll.ts";

/** A site with an owner and nothing else. */
export const emptySite = (): ProgramSite => siteInBrowser();

/** A site with the sample content. */
export const sampleSite = (): ProgramSite => siteInBrowser({ sample: true });

/** A site of its own kind; its rates are not limited. */
export function siteInBrowser({ env, ...options }: ProgramOptions = {}): ProgramSite {
  // Looking at several pages takes its time.
  setDefaultTimeout(60_000);
  afterAll(closeBrowser);
  return siteForAll(() => startProgram({ ...options, env: { RATE_LIMIT: "off", ...env } }));
}
