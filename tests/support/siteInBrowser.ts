/** A site for all the tests of a file that look at it in a browser. */
import { afterAll, afterEach, setDefaultTimeout } from "bun:test";
import { closePages, closeProfiles } from "./browser.ts";
import { siteForAll } from "./siteForAll.ts";
import { type Site, startSite } from "./startSite.ts";

/** Settings of a site that is called more often than any visitor would. */
export const UNLIMITED = { RATE_LIMIT: "off" };

/**
 * A site with an owner and nothing else. It runs in this process, whose code is warm, and in which nothing may fail; that
 * the built program is the same is seen in smoke.test.ts.
 */
export const emptySite = (): Site => siteInBrowser(() => startSite({ env: UNLIMITED }));

/** The same with the sample content. */
export const sampleSite = (): Site =>
  siteInBrowser(() => startSite({ env: UNLIMITED, hasSample: true }));

/** A site of any other kind. Each test leaves its pages to the next, but for those of a `dashboardForAll`. */
export function siteInBrowser<Site extends { stop(): Promise<void> }>(
  start: () => Promise<Site>,
): Site {
  // Looking at several pages takes its time, and several times that on a busy machine.
  setDefaultTimeout(120_000);
  afterEach(closePages);
  afterAll(closeProfiles);
  return siteForAll(start);
}
