/** Two checks of every screen, at one width or at all. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { axe } from "./axe.ts";
import { heightAt, TOUCHED_BELOW, WIDTHS } from "./browser.ts";
import { sideways } from "./pageState.ts";
import { unwatched } from "./passedOn.ts";
import { waitUntilStable } from "./waits.ts";

/** Fails if axe finds a barrier, or the page scrolls sideways. */
export async function expectSound(page: Page): Promise<void> {
  expect(await axe(page)).toEqual([]);
  expect(await sideways(page)).toBe(0);
}

/**
 * Fails if a screen scrolls sideways at one of the widths, or has a barrier at the narrowest, since the others have
 * the same elements; pages.browser.test.ts and screens.browser.test.ts check what wide windows add. The screen is
 * resized, like a device that is turned, since opening it for each width would take several times as long.
 */
export function expectSoundAtWidths(page: Page, widths: readonly number[] = WIDTHS): Promise<void> {
  return atWidths(page, widths, async (width) => {
    if (width === widths[0]) return expectSound(page);
    await waitUntilStable(page);
    expect(await sideways(page)).toBe(0);
  });
}

/** Resizes one screen to several widths; narrow ones have a touch screen. */
export async function atWidths(
  page: Page,
  widths: readonly number[],
  inspect: (width: number) => Promise<void>,
): Promise<void> {
  const before = page.viewportSize()!;
  const devtools = await unwatched(page).context().newCDPSession(unwatched(page));
  const turn = async (size: typeof before) => {
    await devtools.send("Emulation.setTouchEmulationEnabled", {
      enabled: size.width < TOUCHED_BELOW,
    });
    await page.setViewportSize(size);
  };
  for (const width of widths) {
    await turn({ width, height: heightAt(width) });
    await inspect(width).catch((error: Error) => {
      error.message = `${page.url()} at ${width} px: ${error.message}`;
      throw error;
    });
  }
  await turn(before);
  await devtools.detach();
}
