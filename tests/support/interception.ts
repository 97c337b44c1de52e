/** Makes sure that a page's requests are intercepted from the moment `page.route` returns. */
import type { Page } from "playwright-core";
import { IDLE_PATH } from "./pageReuse.ts";

/** A path for which every site returns 200. */
const PROBE = `${IDLE_PATH}?is-intercepted`;
const INTERCEPTED_STATUS = 204;

/**
 * From now on, `page.route` resolves once it intercepts the page's own requests. Chromium reports interception before a
 * newly loaded document uses it: the document's first requests may not be intercepted, and no event shows when they
 * are.
 */
export function awaitInterception(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const registration = await route(...args);
    // A reused page navigates first. At the address where it waits, it can request nothing.
    if (!page.url().startsWith("http") || page.url().endsWith(IDLE_PATH)) return registration;
    await route(`**${PROBE}`, (probe) => probe.fulfill({ status: INTERCEPTED_STATUS }));
    // If the page navigates meanwhile, its new document starts with the routes.
    await page
      .evaluate(waitUntilIntercepted, { probe: PROBE, by: INTERCEPTED_STATUS })
      .catch(() => undefined);
    await page.unroute(`**${PROBE}`);
    return registration;
  };
}

/** Runs in the page. Waits until a request is intercepted. */
async function waitUntilIntercepted({ probe, by }: { probe: string; by: number }): Promise<void> {
  let status = 0;
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  while (status !== by) ({ status } = await fetch(probe));
}
