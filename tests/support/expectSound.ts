/** The two things asked of every screen at every width. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { axe } from "./axe.ts";
import { sideways } from "./pageState.ts";
import { still } from "./waits.ts";

/** Fails when axe finds a barrier, or when the page can be scrolled sideways. */
export async function expectSound(page: Page): Promise<void> {
  // What fades in is pale for a moment.
  await still(page);
  expect(await axe(page)).toEqual([]);
  expect(await sideways(page)).toBe(0);
}
