/** The two things asked of every screen, at one width or at all of them. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { axe } from "./axe.ts";
import { HEIGHTS, TOUCHED_BELOW, WIDTHS } from "./browser.ts";
import { sideways } from "./pageState.ts";
import { still } from "./waits.ts";

/** Fails when axe finds a barrier, or when the page can be scrolled sideways. */
export async function expectSound(page: Page): Promise<void> {
  // What fades in is pale for a moment.
  await still(page);
  expect(await axe(page)).toEqual([]);
  expect(await sideways(page)).toBe(0);
}

/**
 * Fails when a screen is not sound at one of the widths. It is the same screen all the time, as on a
 * device that is turned: opening it for each width would cost several times as much.
 */
export async function expectSoundAtWidths(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  const devtools = await page.context().newCDPSession(page);
  for (const width of WIDTHS) {
    await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: width < TOUCHED_BELOW });
    await page.setViewportSize({ width, height: HEIGHTS[width] });
    await expectSound(page).catch((error: Error) => {
      error.message = `At ${width} px: ${error.message}`;
      throw error;
    });
  }
  await devtools.send("Emulation.setTouchEmulationEnabled", {
    enabled: before.width < TOUCHED_BELOW,
  });
  await page.setViewportSize(before);
  await devtools.detach();
}
