/** The two things asked of every screen, at one width or at all of them. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { axe } from "./axe.ts";
import { heightAt, TOUCHED_BELOW, WIDTHS } from "./browser.ts";
import { sideways } from "./pageState.ts";
import { unwatched } from "./passedOn.ts";
import { waitUntilStable } from "./waits.ts";

/** Fails when axe finds a barrier, or when the page can be scrolled sideways. */
export async function expectSound(page: Page): Promise<void> {
  expect(await axe(page)).toEqual([]);
  expect(await sideways(page)).toBe(0);
}

/**
 * Fails when a screen can be scrolled sideways at one of the widths, or has a barrier at the first, the narrowest: it is
 * made of the same at the others. What pages and screens have beside on a wide window is looked at in pages.browser.test.ts
 * and screens.browser.test.ts. It is the same screen all the time, as on a device that is turned: opening it for each width
 * would cost several times as much.
 */
export function expectSoundAtWidths(page: Page, widths: readonly number[] = WIDTHS): Promise<void> {
  return atWidths(page, widths, async (width) => {
    if (width === widths[0]) return expectSound(page);
    await waitUntilStable(page);
    expect(await sideways(page)).toBe(0);
  });
}

/** Looks at the same screen at several widths; narrow ones are touched. */
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
