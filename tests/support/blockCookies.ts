/** A browser's setting that blocks cookies. */
import type { Page } from "playwright-core";

export const COOKIES_BLOCKED = "Allow cookies for this site to log in.";

/** Blocks cookies on a page until the returned function is called. */
export async function blockCookies(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  const setBlocked = (disabled: boolean) =>
    session.send("Emulation.setDocumentCookieDisabled", { disabled });
  await setBlocked(true);
  // The session stays attached, since detaching it would also end the page's authenticator.
  return () => setBlocked(false);
}
