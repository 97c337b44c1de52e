/** Intercepts a page's requests, from the moment it returns. */
import type { Page } from "playwright-core";
import { IDLE_PATH } from "./pageReuse.ts";

/** A path for which every site returns 200. */
const PROBE = `${IDLE_PATH}?is-intercepted`;
const INTERCEPTED_STATUS = 204;

/**
 * From now on `page.route` resolves once it intercepts the page's own requests. Chromium reports interception before
 * a freshly loaded document uses it: its first requests may not be intercepted, and no event shows that.
 */
export function awaitInterception(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const registration = await route(...args);
    // A reused page navigates first; at its waiting address it can request nothing.
    if (!page.url().startsWith("http") || page.url().endsWith(IDLE_PATH)) return registration;
    await route(`**${PROBE}`, (probe) => probe.fulfill({ status: INTERCEPTED_STATUS }));
    // A page that navigates meanwhile starts there with its routes.
    await page
      .evaluate(waitUntilIntercepted, { probe: PROBE, by: INTERCEPTED_STATUS })
      .catch(() => undefined);
    await page.unroute(`**${PROBE}`);
    return registration;
  };
}

/** Runs in the page. */
async function waitUntilIntercepted({ probe, by }: { probe: string; by: number }): Promise<void> {
  let status = 0;
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  while (status !== by) ({ status } = await fetch(probe));
}
