/** A site of the built program for all the tests of a file that look at it in a browser. */
import { afterAll, setDefaultTimeout } from "bun:test";
import { closeBrowser } from "./browser.ts";
import { type DemoSite, startDemoSite } from "./demoSite.ts";
import { type Executable, startExecutable } from "./executable.ts";
import { siteForAll } from "./siteForAll.ts";

const UNLIMITED = { RATE_LIMIT: "off" };

/** A site with an owner and nothing else. */
export const emptySite = (): Executable => siteInBrowser(() => startExecutable(UNLIMITED));

/** A site with the sample content. */
export const sampleSite = (): DemoSite => siteInBrowser(() => startDemoSite(UNLIMITED));

function siteInBrowser<Site extends DemoSite>(start: () => Promise<Site>): Site {
  // Making a site and looking at several of its pages takes its time.
  setDefaultTimeout(60_000);
  afterAll(closeBrowser);
  return siteForAll(start);
}
