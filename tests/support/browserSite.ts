/** A site for all the tests of a file that look at it in a browser. */
import { afterAll, afterEach, setDefaultTimeout } from "bun:test";
import { closePages, closeProfiles } from "./browser.ts";
import { setUpSiteForAll } from "./setUpSite.ts";
import { type Site, startSite } from "./startSite.ts";

/** For sites with more requests than any visitor makes. */
export const UNLIMITED = { RATE_LIMIT: "off" };

/**
 * A site with an owner and nothing else. It runs in this process, whose code is warm and must not fail;
 * smoke.test.ts covers the built program.
 */
export const setUpEmptySite = (): Site => setUpBrowserSite(() => startSite({ env: UNLIMITED }));

export const setUpSampleSite = (): Site =>
  setUpBrowserSite(() => startSite({ env: UNLIMITED, hasSample: true }));

/** A site of another kind. Each test passes its pages on to the next, except those of `setUpDashboard`. */
export function setUpBrowserSite<Site extends { stop(): Promise<void> }>(
  start: () => Promise<Site>,
): Site {
  // Several pages take a while, and much longer on a busy machine.
  setDefaultTimeout(120_000);
  afterEach(closePages);
  afterAll(closeProfiles);
  return setUpSiteForAll(start);
}
