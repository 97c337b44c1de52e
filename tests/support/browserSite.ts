/** Starts a site for all the browser tests of a file. */
import { afterAll, afterEach, setDefaultTimeout } from "bun:test";
import { closePages, closeProfiles } from "./browser.ts";
import { setUpSiteForAll } from "./setUpSite.ts";
import { type Site, startSite } from "./startSite.ts";

/** For sites with more requests than any visitor makes. */
export const UNLIMITED = { RATE_LIMIT: "off" };

/**
 * Starts a site with an owner and nothing else. It runs in this process, whose code is already loaded and compiled;
 * smoke.test.ts covers the built program.
 */
export const setUpEmptySite = (): Site => setUpBrowserSite(() => startSite({ env: UNLIMITED }));

export const setUpSampleSite = (): Site =>
  setUpBrowserSite(() => startSite({ env: UNLIMITED, hasSample: true }));

/** Starts another kind of site. Pages are reused by the next test, except those of `setUpDashboard`. */
export function setUpBrowserSite<Site extends { stop(): Promise<void> }>(
  start: () => Promise<Site>,
): Site {
  // Several pages take a while, and much longer on a busy machine.
  setDefaultTimeout(120_000);
  afterEach(closePages);
  afterAll(closeProfiles);
  return setUpSiteForAll(start);
}
