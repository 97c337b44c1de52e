/** Intercepts a page's requests, from the moment it returns. */
import type { Page } from "playwright-core";
import { LEFT_AT } from "./passedOn.ts";

/** A path that every site answers with 200. */
const PROBE = `${LEFT_AT}?is-intercepted`;
const INTERCEPTED = 204;

/**
 * From now on `page.route` resolves once it intercepts the page's own requests. Chromium reports interception before
 * a freshly loaded document knows of it: what that requests right then isn't intercepted, and no event shows it.
 */
export function awaitInterception(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const routed = await route(...args);
    // A reused page navigates first; at its waiting address it can request nothing.
    if (!page.url().startsWith("http") || page.url().endsWith(LEFT_AT)) return routed;
    await route(`**${PROBE}`, (probe) => probe.fulfill({ status: INTERCEPTED }));
    // A page that navigates meanwhile starts there with its routes.
    await page.evaluate(untilAnswered, { probe: PROBE, by: INTERCEPTED }).catch(() => undefined);
    await page.unroute(`**${PROBE}`);
    return routed;
  };
}

/** Runs in the page. */
async function untilAnswered({ probe, by }: { probe: string; by: number }): Promise<void> {
  let status = 0;
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  while (status !== by) ({ status } = await fetch(probe));
}
