/** Brings the enquiry form to life, which comes when a visitor is about to need it (src/web/inline/wake.ts). */
import type { Page } from "playwright-core";

/** As a mouse that passes over something that needs the page's code. */
export async function wake(page: Page): Promise<void> {
  await page.locator("[data-wakes]").first().dispatchEvent("pointerover", { pointerType: "mouse" });
  await untilAlive(page);
}

/** The input that robots are caught with goes when the form lives. */
export async function untilAlive(page: Page): Promise<void> {
  await page.locator("[data-wakes] [name=website]").waitFor({ state: "detached" });
}
