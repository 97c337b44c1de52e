/** Inside a backup: its differences from the site, and restoring a section, a picture or everything. */
import { beforeAll, expect, test } from "bun:test";
import { setUpDashboard, followLink } from "../../../support/dashboard.ts";
import { inspectAtWidths, expectAccessible } from "../../../support/expectAccessible.ts";
import { startProgram } from "../../../support/program.ts";
import { setUpBrowserSite, UNLIMITED } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

// The built program, since a restore restarts it.
const site = setUpBrowserSite(() => startProgram({ hasSample: true, env: UNLIMITED }));
const dashboard = setUpDashboard(site);
const { button, field } = dashboard;
const page = () => dashboard.page;

/** The number of highlights in the backup. */
let backedUpAt = 0;

beforeAll(async () => {
  backedUpAt = (await site.asOwner("GET", "/api/highlights")).length;
  await site.asOwner("POST", "/api/backups");
  const isMade = async () => {
    const { backups, underWay } = await site.asOwner("GET", "/api/backups");
    // The day's automatic backup may exist too.
    return backups.length > 0 && underWay === null;
  };
  // A backup runs at low priority, so its duration is unknown.
  while (!(await isMade())) await Bun.sleep(100);
}, 120_000);

/** Permanently deletes a highlight and its picture, and changes the hero. */
async function changeSite(): Promise<{ picture: { id: string; url: string } }> {
  const [highlight] = await site.asOwner("GET", "/api/highlights");
  const uploads: { id: string; url: string }[] = await site.asOwner("GET", "/api/uploads");
  const picture = uploads.find(({ url }) => url === highlight.imageUrl)!;
  await site.asOwner("DELETE", `/api/highlights/${highlight.id}`);
  await site.asOwner("DELETE", `/api/uploads/${picture.id}`);
  await site.asOwner("DELETE", "/api/bin");
  await site.asOwner("POST", "/api/hero", { mainTitle: "Changed since" });
  return { picture };
}

async function openBackup(): Promise<void> {
  await dashboard.open("email");
  await followLink(page(), "tab=email&account=backups");
  await page()
    .getByRole("button", { name: /^View backup from today, / })
    .last()
    .click();
  await page().getByText("What do you want to restore?").waitFor();
}

const chip = (name: string) => page().locator(".inside-chips button", { hasText: name });

test("a section is compared with its version in a backup and restored with its pictures, which Undo reverts", async () => {
  const { picture } = await changeSite();
  await openBackup();
  await chip("Highlights").click();
  const compare = page().locator(".inside-compare");
  await compare.getByText(`${backedUpAt} highlights`).waitFor();
  await compare.getByText(`${backedUpAt - 1} highlights`).waitFor();
  await compare.getByText(/^Added "/).waitFor();
  await waitForValue(
    () =>
      compare
        .locator("img")
        .evaluateAll((all) => all.every((each) => (each as HTMLImageElement).naturalWidth > 0)),
    true,
  );
  // On a phone nothing is cut off, and every choice can be tapped.
  await inspectAtWidths(page(), [390], async () => {
    const heights = await page()
      .locator(".inside-chips button, .inside-choice, .inside-foot button")
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().height)));
    expect(heights.filter((height) => height < 44)).toEqual([]);
    await expectAccessible(page());
  });
  await button("Restore Highlights").click();
  await dashboard.waitForToast("Highlights restored");
  expect(await site.asOwner("GET", "/api/highlights")).toHaveLength(backedUpAt);
  expect((await site.visitor().get(picture.url)).status).toBe(200);
  expect((await site.asOwner("GET", "/api/hero")).mainTitle).toBe("Changed since");
  await button("Undo").click();
  await dashboard.waitForToast("Undone");
  expect(await site.asOwner("GET", "/api/highlights")).toHaveLength(backedUpAt - 1);
  expect(page().problems()).toEqual([]);
});

test("a deleted picture is restored from a backup, and after a restore of everything the owner is still logged in", async () => {
  const { picture } = await changeSite();
  await openBackup();
  await field("One image").check();
  const tile = page().locator(".viewer-pictures button");
  await waitForValue(() => tile.count(), 1);
  expect(await button("Restore image").isDisabled()).toBe(true);
  await tile.click();
  await button("Restore image").click();
  await dashboard.waitForToast("Image restored");
  expect((await site.visitor().get(picture.url)).status).toBe(200);
  await openBackup();
  await field("Everything").check();
  await dashboard.waitForText(
    "User accounts aren't changed, and people whose data you erased stay erased.",
  );
  await button("Restore everything").click();
  await page().getByText("This page reloads automatically.").waitFor();
  await page().getByText("Restore from").waitFor();
  expect(await site.asOwner("GET", "/api/highlights")).toHaveLength(backedUpAt);
  expect((await site.asOwner("GET", "/api/hero")).mainTitle).not.toBe("Changed since");
  await waitForValue(
    () =>
      page()
        .getByRole("button", { name: /^View backup from today, / })
        .count(),
    2,
  );
});

test("a restore that takes more than two minutes is reported as unfinished instead of reloading the page", async () => {
  await openBackup();
  await field("Everything").check();
  await page().route("**/api/backups/*/restore", (route) => route.fulfill({ json: {} }));
  await page().route("**/api/backups/*/inside", (route) => route.abort());
  await button("Restore everything").click();
  await page().getByText("This page reloads automatically.").waitFor();
  await page().evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 121_000;
  });
  await page()
    .getByText("Reload this page in a few minutes to see whether it's finished.")
    .waitFor();
});
