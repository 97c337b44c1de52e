/** Two checks of every screen, at one width or at all widths. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { findBarriers } from "./axe.ts";
import { getHeight, TOUCH_BELOW_WIDTH, WIDTHS } from "./browser.ts";
import { measureOverflow } from "./pageState.ts";
import { getUnwatchedPage } from "./pageReuse.ts";
import { waitUntilStable } from "./waits.ts";

/** Fails if axe finds a barrier, or the page scrolls sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await measureOverflow(page)).toBe(0);
}

/**
 * Fails if a screen scrolls sideways at one of the widths, or has a barrier at the first width. At the other widths it
 * has the same elements; pages.browser.test.ts and screens.browser.test.ts check what wide windows add. The screen is
 * resized, as when a device is turned, since opening it for each width would take several times as long.
 */
export function expectAccessibleAtWidths(
  page: Page,
  widths: readonly number[] = WIDTHS,
): Promise<void> {
  return inspectAtWidths(page, widths, async (width) => {
    if (width === widths[0]) return expectAccessible(page);
    await waitUntilStable(page);
    expect(await measureOverflow(page)).toBe(0);
  });
}

/** Resizes one screen to several widths, and inspects each. Narrow screens have a touch screen. */
export async function inspectAtWidths(
  page: Page,
  widths: readonly number[],
  inspect: (width: number) => Promise<void>,
): Promise<void> {
  const before = page.viewportSize()!;
  const session = await getUnwatchedPage(page).context().newCDPSession(getUnwatchedPage(page));
  const resize = async (size: typeof before) => {
    await session.send("Emulation.setTouchEmulationEnabled", {
      enabled: size.width < TOUCH_BELOW_WIDTH,
    });
    await page.setViewportSize(size);
  };
  for (const width of widths) {
    await resize({ width, height: getHeight(width) });
    await inspect(width).catch((error: Error) => {
      error.message = `${page.url()} at ${width} px: ${error.message}`;
      throw error;
    });
  }
  await resize(before);
  await session.detach();
}
