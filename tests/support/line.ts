/** The line between a page and its site, made slow or cut. */
import type { Page } from "playwright-core";

/**
 * Keeps requests waiting until the function it answers is called, all or those of one method. `url` is a glob or a
 * pattern.
 */
export async function hold(
  page: Page,
  url: string | RegExp,
  method?: "GET" | "POST",
): Promise<() => void> {
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (method === undefined || route.request().method() === method) await free;
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

/** Has requests answered by something in between, as a proxy does, until the function it answers is called. */
export async function refuse(
  page: Page,
  url: string | RegExp,
  status: number,
  body: object | string = "<html><h1>Something in between</h1></html>",
): Promise<() => Promise<void>> {
  const answer =
    typeof body === "string" ? { body, contentType: "text/html" } : { json: body as never };
  await page.route(url, (route) => route.fulfill({ status, ...answer }));
  return () => page.unroute(url);
}

/**
 * Resolves when a question after the site itself has failed, as `Retry` asks it: what comes back after that is another
 * press's. To be called before what makes it.
 */
export async function waitForFailedCheck(page: Page): Promise<void> {
  await page.waitForEvent("requestfailed", (request) => request.method() === "HEAD");
}
