/**
 * One site for all tests of a file or a `describe`, or one for each test. It is created before the tests and deleted
 * after them.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "bun:test";

interface AnySite {
  /** The failures that the site reported, if it records them. */
  readonly reportedErrors?: readonly unknown[];
  stop(): Promise<void>;
}

/** Starts a site before the first test. If the site reported a failure, this fails after the last test. */
export function setUpSiteForAll<Site extends AnySite>(start: () => Promise<Site>): Site {
  return setUpSite(start, beforeAll, afterAll);
}

/** Starts a site before each test. If the site reported a failure, this fails after the test. */
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
