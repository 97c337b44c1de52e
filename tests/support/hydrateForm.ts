/** Activates the enquiry form, whose code loads when a visitor is about to need it (src/web/inline/hydrate.ts). */
import type { Page } from "playwright-core";

/** Moves the pointer over an element that needs the page's code. */
export async function hydrateForm(page: Page): Promise<void> {
  await page.locator("[data-wakes]").first().dispatchEvent("pointerover", { pointerType: "mouse" });
  await waitUntilHydrated(page);
}

/** Waits until the form is active, when it removes the field for robots. */
export async function waitUntilHydrated(page: Page): Promise<void> {
  await page.locator("[data-wakes] [name=website]").waitFor({ state: "detached" });
}
