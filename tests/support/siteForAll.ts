/**
 * One site for all the tests of a file or of a `describe`, or one for each: created in the first hook, then
 * deleted.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "bun:test";

interface AnySite {
  /** The failures it reported, where it tells. */
  readonly faults?: readonly unknown[];
  stop(): Promise<void>;
}

/** Starts a site before the first test; after the last it must not have failed anywhere. */
export function siteForAll<Site extends AnySite>(start: () => Promise<Site>): Site {
  return siteFor(start, beforeAll, afterAll);
}

/** The same for each test. */
export function siteForEach<Site extends AnySite>(start: () => Promise<Site>): Site {
  return siteFor(start, beforeEach, afterEach);
}

function siteFor<Site extends AnySite>(
  start: () => Promise<Site>,
  before: typeof beforeAll,
  after: typeof afterAll,
): Site {
  const site = {} as Site;
  before(async () => {
    Object.assign(site, await start());
  });
  after(async () => {
    // When the start failed there is nothing to stop.
    await site.stop?.();
    expect(site.faults ?? []).toEqual([]);
  });
  return site;
}
