/** One site for all the tests of a file or of a `describe`: there from the first hook on, then gone. */
import { afterAll, beforeAll, expect } from "bun:test";

interface AnySite {
  /** The failures it reported, where it tells. */
  readonly faults?: readonly unknown[];
  stop(): Promise<void>;
}

/** Starts a site before the first test; after the last it must not have failed anywhere. */
export function siteForAll<Site extends AnySite>(start: () => Promise<Site>): Site {
  const site = {} as Site;
  beforeAll(async () => {
    Object.assign(site, await start());
  });
  afterAll(async () => {
    // When the start failed there is nothing to stop.
    await site.stop?.();
    expect(site.faults ?? []).toEqual([]);
  });
  return site;
}
