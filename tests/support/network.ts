/** The connection between a page and its site, made slow or cut. */
import type { Page } from "playwright-core";

/**
 * Holds requests, all or those of one method, until the returned function is called. `url` is a glob or a pattern.
 */
export async function holdRequests(
  page: Page,
  url: string | RegExp,
  method?: "GET" | "POST",
): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (method === undefined || route.request().method() === method) await released;
    // The page may have aborted the request meanwhile.
    await route.continue().catch(() => undefined);
  });
  return release;
}

/** Fails requests like a lost connection, until the returned function is called. */
export async function dropRequests(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.abort());
  return () => page.unroute(url);
}

/** Responds to requests like a proxy in between, until the returned function is called. */
export async function respondAsProxy(
  page: Page,
  url: string | RegExp,
  status: number,
  body: object | string = "<html><h1>Something in between</h1></html>",
): Promise<() => Promise<void>> {
  const response =
    typeof body === "string" ? { body, contentType: "text/html" } : { json: body as never };
  await page.route(url, (route) => route.fulfill({ status, ...response }));
  return () => page.unroute(url);
}

/**
 * Resolves when the check that `Retry` makes of the site has failed, so that a later success belongs to another
 * press. Called before the press.
 */
export async function waitForFailedCheck(page: Page): Promise<void> {
  await page.waitForEvent("requestfailed", (request) => request.method() === "HEAD");
}
