/** One site for all tests of a file or a `describe`, or one for each: created in the first hook, then deleted. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "bun:test";

interface AnySite {
  /** The failures it reported, if it records them. */
  readonly reportedErrors?: readonly unknown[];
  stop(): Promise<void>;
}

/** Starts a site before the first test; it fails after the last if the site reported a failure. */
export function setUpSiteForAll<Site extends AnySite>(start: () => Promise<Site>): Site {
  return setUpSite(start, beforeAll, afterAll);
}

/** The same for each test. */
export function setUpSiteForEach<Site extends AnySite>(start: () => Promise<Site>): Site {
  return setUpSite(start, beforeEach, afterEach);
}

function setUpSite<Site extends AnySite>(
  start: () => Promise<Site>,
  before: typeof beforeAll,
  after: typeof afterAll,
): Site {
  const site = {} as Site;
  before(async () => {
    Object.assign(site, await start());
  });
  after(async () => {
    // A failed start leaves nothing to stop.
    await site.stop?.();
    expect(site.reportedErrors ?? []).toEqual([]);
  });
  return site;
}
