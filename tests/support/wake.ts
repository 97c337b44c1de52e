/** Brings public pages to life, which they do when a visitor is about to need it (src/web/inline/wake.ts). */
import type { Page } from "playwright-core";

/** As a mouse that passes over something that needs the page's code. */
export async function wake(page: Page): Promise<void> {
  await page.locator("[data-wakes]").first().dispatchEvent("pointerover", { pointerType: "mouse" });
  await untilAlive(page);
}

/** The families' style sheets follow when a page lives. */
export async function untilAlive(page: Page): Promise<void> {
  await page.locator("link[data-font]").first().waitFor({ state: "attached" });
}
