/** The layout of rows and heads on a phone. */
import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { setUpSampleSite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpSampleSite();
const dashboard = setUpDashboard(site, { width: 390 });

const TOUCHED: readonly [string, string, ...string[]][] = [
  ["highlights", ".subtabs button", ".card-actions .ui-button", ".grip"],
  ["statistics", ".card-actions .ui-button", ".grip"],
  ["connect", ".subtabs button", ".card-actions .ui-button", ".grip"],
  ["forms", ".subtabs button"],
  ["styles", ".subtabs button"],
  ["files", ".segmented button"],
];

test("Buttons for subtabs, cards, segments and moving are at least 44 px wide and high", async () => {
  for (const [tab, ...all] of TOUCHED) {
    await dashboard.goTo(tab);
    for (const selector of all) {
      const pressed = dashboard.page.locator(selector);
      await pressed.first().waitFor();
      const sides = await pressed.evaluateAll((each) =>
        each.flatMap((one) => {
          const { width, height } = one.getBoundingClientRect();
          return [width, height];
        }),
      );
      expect([tab, selector, Math.min(...sides) >= 44]).toEqual([tab, selector, true]);
    }
  }
});

test("On a phone the filter of enquiries is collapsed, and the exports are below the list", async () => {
  await dashboard.goTo("forms", { sub: "submissions" });
  const { page } = dashboard;
  const first = page.locator(".submission").first();
  await first.waitFor();
  const top = async (of: Locator) => (await of.boundingBox())!.y;
  expect(await top(first)).toBeLessThan(422);
  const last = page.locator(".submission").last();
  expect(await top(dashboard.button("Export CSV"))).toBeGreaterThan(await top(last));
  for (const each of await page.locator(".card .actions > .ui-button").all()) {
    const [button, list] = [(await each.boundingBox())!, (await last.boundingBox())!];
    expect(button.x + button.width).toBeLessThanOrEqual(list.x + list.width);
  }
  await page.getByLabel("Status").selectOption({ label: "New 6" });
  await page.getByText("Showing 1–6 of 6").waitFor();
});

test("The open tab is centered in a phone's tab strip, whose edges fade only where more tabs follow", async () => {
  const middle = async (of: Locator) => {
    const { x, width } = (await of.boundingBox())!;
    return x + width / 2;
  };
  for (const on of [[], ["dates"]]) {
    await site.asOwner("POST", "/api/extras", { on });
    await dashboard.open("connect");
    const { page } = dashboard;
    await page.getByRole("button", { name: "All tabs" }).waitFor({
      state: on.length > 0 ? "visible" : "detached",
    });
    await page.waitUntilSettled();
    const [tab, strip] = [page.locator("#tab-connect"), page.locator(".rail-strip")];
    await waitForValue(async () => Math.abs((await middle(tab)) - (await middle(strip))) < 2, true);
    const edges = () => strip.getAttribute("data-edges");
    await dashboard.goTo("files");
    await waitForValue(edges, "start");
    await dashboard.goTo("hero");
    await waitForValue(edges, "end");
    expect(await strip.evaluate((each) => each.scrollLeft)).toBe(0);
  }
  await site.asOwner("POST", "/api/extras", { on: [] });
});

test("The version history says that an earlier list was empty, and shows a mobile preview on a phone", async () => {
  await dashboard.goTo("press");
  await dashboard.page.getByRole("button", { name: "History" }).click();
  await dashboard.page.getByRole("dialog", { name: "Version history of Press features" }).waitFor();
  const dialog = dashboard.page.getByRole("dialog");
  await dialog.locator(".history-list button").last().click();
  await dialog.getByText("This list was empty in that version.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dashboard.goTo("hero");
  await site.asOwner("POST", "/api/hero", { mainTitle: "Twice" });
  await dashboard.page.getByRole("button", { name: "History" }).click();
  await dialog.getByTitle("Mobile preview").waitFor();
});

test("A form's card keeps its buttons inside on a narrow phone, however many submissions it counts", async () => {
  await dashboard.open("forms", { width: 320 });
  const { page } = dashboard;
  const card = page.locator(".form-card").first();
  await card
    .getByText("14 submissions")
    .evaluate((each) => (each.lastChild!.nodeValue = " of 2,147,483"));
  const [outer, button] = await Promise.all(
    [card, card.getByRole("button", { name: /^Delete/ })].map((each) => each.boundingBox()),
  );
  expect(button!.x + button!.width).toBeLessThanOrEqual(outer!.x + outer!.width);
});
