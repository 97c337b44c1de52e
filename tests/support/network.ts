/** The connection between a page and its site, made slow or cut. */
import type { Page } from "playwright-core";

/**
 * Holds requests to `url`, a glob or a pattern, until the returned function is called. Without a method, holds requests
 * of every method.
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

/** Makes requests fail as when the connection is lost, until the returned function is called. */
export async function dropRequests(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  await page.route(url, (route) => route.abort());
  return () => page.unroute(url);
}

/** Responds to requests as a proxy in between does, until the returned function is called. */
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
 * Resolves when the check of the site that `Retry` makes has failed, so that a later success belongs to another press.
 * Call it before the press.
 */
export async function waitForFailedCheck(page: Page): Promise<void> {
  await page.waitForEvent("requestfailed", (request) => request.method() === "HEAD");
}
