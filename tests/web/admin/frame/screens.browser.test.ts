/** Every screen of the dashboard, opened once and turned through the widths, in the dark and in the light. */
import { expect, test } from "bun:test";
import { axe } from "../../../support/axe.ts";
import type { TestPage } from "../../../support/browser.ts";
import { loggedInPage } from "../../../support/dashboard.ts";
import { atWidths } from "../../../support/expectSound.ts";
import { sideways } from "../../../support/pageState.ts";
import { sampleSite } from "../../../support/siteInBrowser.ts";
import { still } from "../../../support/waits.ts";

const site = sampleSite();

const TABS = (
  "hero about statistics highlights highlights&sub=settings highlights&sub=preview connect " +
  "connect&sub=settings press press&sub=settings press&sub=preview coaching " +
  "coaching&sub=transformations.gallery coaching&sub=transformations.settings " +
  "coaching&sub=transformations.preview email forms forms&sub=builder forms&sub=submissions " +
  "styles styles&sub=colors styles&sub=sections styles&sub=sharing files"
).split(" ");
const ACCOUNT = "password mail security backups bin people happened site".split(" ");

const PLACES = [
  ...TABS.map((tab) => `tab=${tab}`),
  ...ACCOUNT.map((screen) => `tab=hero&account=${screen}`),
];

const GROUNDS = { dark: "rgb(10, 11, 13)", light: "rgb(244, 245, 247)" } as const;

/** As a link of the dashboard's own does, which loads nothing anew. */
async function goTo(page: TestPage, place: string): Promise<void> {
  await page.evaluate((query) => history.pushState(null, "", `?${query}`), place);
  const tab = new URLSearchParams(place).get("tab")!;
  const isAccount = place.includes("account");
  await page.locator(isAccount ? ".account-page" : `#tab-${tab}[aria-selected=true]`).waitFor();
  await still(page);
}

// What is on a screen is the same in both: the narrowest is looked at in the dark, the widest in the light.
test("nothing is a barrier and nothing scrolls sideways on any screen, at any width, in the dark and in the light", async () => {
  const page = await loggedInPage(site);
  await page.goto(`${site.url}/admin/dashboard`);
  await page.locator(".tab-head").waitFor();
  for (const place of PLACES) {
    await page.emulateMedia({ colorScheme: "dark" });
    await goTo(page, place);
    const found: unknown[] = [];
    await atWidths(page, [390, 768, 1366], async (width) => {
      const colorScheme = width === 1366 ? "light" : "dark";
      await page.emulateMedia({ colorScheme });
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const barriers = width === 768 ? [] : await axe(page);
      const isRight = ground === GROUNDS[colorScheme];
      if (!isRight || barriers.length > 0 || (await sideways(page)) !== 0)
        found.push([width, ground, barriers]);
    });
    expect([place, found]).toEqual([place, []]);
  }
  expect(page.problems()).toEqual([]);
});
