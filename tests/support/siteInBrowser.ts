/** A site for all the tests of a file that look at it in a browser. */
import { afterAll, setDefaultTimeout } from "bun:test";
import { closePages } from "./browser.ts";
import { type ProgramSite, startProgram } from "./program.ts";
import { siteForAll } from "./siteForAll.ts";

/** Settings of a site that is called more often than any visitor would. */
export const UNLIMITED = { RATE_LIMIT: "off" };

/** A site of the built program with an owner and nothing else. */
export const emptySite = (): ProgramSite => siteInBrowser(() => startProgram({ env: UNLIMITED }));

/** A site of the built program with the sample content. */
export const sampleSite = (): ProgramSite =>
  siteInBrowser(() => startProgram({ sample: true, env: UNLIMITED }));

/** A site of any other kind. */
export function siteInBrowser<Site extends { stop(): Promise<void> }>(
  start: () => Promise<Site>,
): Site {
  // Looking at several pages takes its time, and several times that on a busy machine.
  setDefaultTimeout(120_000);
  afterAll(closePages);
  return siteForAll(start);
}
