/** How rows and heads stand on a phone. */
import { expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { expectSound } from "../../../support/expectSound.ts";
import { sampleSite } from "../../../support/siteInBrowser.ts";

const site = sampleSite();
const dashboard = dashboardForAll(site, { width: 390 });

const LISTS: readonly [string, string?][] = [
  ["statistics"],
  ["highlights"],
  ["press"],
  ["connect"],
  ["coaching", "transformations"],
];

for (const [tab, sub] of LISTS)
  test(`Head: title, quiet note, actions, each in one line on a phone (${sub ?? tab})`, async () => {
    await dashboard.open(tab, { sub });
    const head = dashboard.page.locator(".card-head").first();
    await head.locator(".card-note").waitFor();
    expect(await head.evaluate(linesOf)).toEqual([1, 1, 1]);
    await expectSound(dashboard.page);
  });

/** How many lines the title, the history button and the adding button take. */
function linesOf(head: Element): number[] {
  return [...head.querySelectorAll("h3, .card-actions > .ui-button")].map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const tops = [...range.getClientRects()].map(({ top, height }) => top + height / 2);
    return Math.max(...tops) - Math.min(...tops) < 10 ? 1 : 2;
  });
}

test("An address's delete button is at the right end of its row", async () => {
  await dashboard.open("email");
  const row = dashboard.page.locator(".subscription").first();
  await row.waitFor();
  const [around, inside] = [await row.boundingBox(), await row.getByRole("button").boundingBox()];
  expect(around!.x + around!.width - (inside!.x + inside!.width)).toBeLessThan(10);
  expect(inside!.y + inside!.height).toBeLessThanOrEqual(around!.y + around!.height);
});

test("An earlier version of an empty list says so; a phone shows the section phone-sized", async () => {
  await dashboard.open("press");
  await dashboard.page.getByRole("button", { name: "History" }).click();
  await dashboard.page
    .getByRole("dialog", { name: "Earlier versions of Press features" })
    .waitFor();
  const dialog = dashboard.page.getByRole("dialog");
  await dialog.locator(".history-list button").last().click();
  await dialog.getByText("The list was empty at that time.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dashboard.open("hero");
  await site.asOwner("POST", "/api/hero", { mainTitle: "Twice" });
  await dashboard.page.getByRole("button", { name: "History" }).click();
  await dialog.getByTitle("Mobile preview").waitFor();
});
