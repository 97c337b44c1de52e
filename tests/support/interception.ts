/** Routes of a page that hold from the moment they are set. */
import type { Page } from "playwright-core";
import { LEFT_AT } from "./passedOn.ts";

/** What every site answers, with 200. */
const PROBE = `${LEFT_AT}?is-intercepted`;
const INTERCEPTED = 204;

/**
 * From now on `page.route` resolves once the page's own requests come by it. Chromium says that it intercepts before a
 * document that has just loaded knows of it: what that asks for right then goes out, and no event tells of it.
 */
export function awaitInterception(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const routed = await route(...args);
    // A page that was passed on goes elsewhere first; there nothing may be asked for.
    if (!page.url().startsWith("http") || page.url().endsWith(LEFT_AT)) return routed;
    await route(`**${PROBE}`, (probe) => probe.fulfill({ status: INTERCEPTED }));
    // A page that goes elsewhere meanwhile starts there with its routes.
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
