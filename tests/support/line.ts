/** The line between a page and its site, made slow or cut. */
import type { Page } from "playwright-core";

/** Keeps requests waiting until the function it answers is called. `url` is a glob or a pattern. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await free;
    // The page may have given the request up in the meantime.
    await route.continue().catch(() => undefined);
  });
  return release;
}

/** Lets requests fail as on a dropped line, until the function it answers is called. */
export async function drop(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.abort());
  return () => page.unroute(url);
}
