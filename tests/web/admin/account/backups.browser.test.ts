/**
 * The screen of the backups: the state of protection, and backups to restore (specification, section 2.22).
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import type { BackupsState } from "../../../../src/schema/api/backups.ts";
import { type TestPage } from "../../../support/browser.ts";
import { createFinders, openLoggedInPage } from "../../../support/dashboard.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { holdRequests } from "../../../support/network.ts";
import { isFocused } from "../../../support/pageState.ts";
import { setUpBrowserSite } from "../../../support/browserSite.ts";
import { type Site, startSite } from "../../../support/startSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Backups run at low priority, so this is how long a test waits for one, in milliseconds. */
const JOB_TIMEOUT_MS = 60_000;
/** The call for a backup's progress. */
const STATE_URL = "**/api/backups";

let page: TestPage;
const { button, card } = createFinders(() => page);

/** Opens the screen of the backups, and waits for this heading. */
async function open(site: Site, words: string, width = 1366): Promise<void> {
  page = await openLoggedInPage(site, { width });
  page.setDefaultTimeout(JOB_TIMEOUT_MS);
  await page.goto(`${site.url}/admin/dashboard?account=backups`);
  await page.getByRole("heading", { name: words, level: 3 }).waitFor();
}

const rows = () => card("Restore from").getByRole("listitem");
const heading = (words: string) => page.getByRole("heading", { name: words, level: 3 });

async function createBackup(site: Site): Promise<void> {
  await site.asOwner("POST", "/api/backups");
  const state = () => site.asOwner<BackupsState>("GET", "/api/backups");
  while ((await state()).underWay !== null) await Bun.sleep(100);
}

describe("on a site without backups", () => {
  const site: Site = setUpBrowserSite(startSite);
  setDefaultTimeout(2 * JOB_TIMEOUT_MS);

  test("an owner makes a backup with one key press, tests its restore, and edits how many backups are kept", async () => {
    await open(site, "No backup yet");
    await page.getByText("The first backup starts in a few minutes.").waitFor();
    expect(await card("Backups to keep").innerText()).toContain("None yet");
    // While the poll's response is held, the button says "Backing up...", even if the backup is already finished.
    const release = await holdRequests(page, STATE_URL, "GET");
    await button("Back up now").focus();
    await page.keyboard.press("Enter");
    await button("Backing up...").waitFor();
    expect(await isFocused(button("Backing up..."))).toBe(true);
    release();
    // The archive exists a moment before its content is known.
    await button("Back up now").waitFor();
    await heading("Your site is backed up").waitFor();
    expect(await rows().count()).toBe(1);
    expect(await rows().first().innerText()).toMatch(
      /^Today, \d\d:\d\d\n\d+\.\d KB · same as now\non this server/,
    );
    expect(await page.locator(".backups-safety").innerText()).toMatch(
      /Last backup today, \d\d:\d\d · \d+\.\d KB · verified, on this server only/,
    );
    expect(await card("Backups to keep").innerText()).toMatch(/1 backup, \d+\.\d KB\s+On/);
    await page.getByRole("status").getByText("Backup created.").waitFor({ state: "attached" });
    const coming = page.waitForEvent("download");
    await page
      .getByRole("button", { name: /^Download backup from today, / })
      .first()
      .click();
    expect((await coming).suggestedFilename()).toMatch(/^limelight-.*Z\.tar\.gz$/);
    await button("Account").click();
    const link = page.locator("#account-menu").getByRole("link", { name: "Backups" });
    await link.getByText(/^today, \d\d:\d\d$/).waitFor();
    await page.keyboard.press("Escape");
    await expectAccessible(page);

    await page.unrouteAll({ behavior: "wait" });
    const finish = await holdRequests(page, STATE_URL, "GET");
    await button("Run restore test").click();
    await button("Testing...").waitFor();
    expect(await isFocused(button("Testing..."))).toBe(true);
    expect(await button("Back up now").isDisabled()).toBe(true);
    finish();
    await page.unrouteAll({ behavior: "wait" });
    await site.asOwner("POST", "/api/hero", { mainTitle: `At ${Date.now()}` });
    await site.asOwner("POST", "/api/statistics", { value: "7", label: "Shows" });
    await page.reload();
    await button("Run restore test").waitFor();
    const tested = /Restore test today, \d\d:\d\d: the latest backup can be restored\. Next test /;
    expect(await page.locator(".backups-rehearsal").innerText()).toMatch(tested);
    expect(await rows().first().innerText()).toContain("1 fewer statistic, before changes to Hero");
    const words = (days: number) =>
      card("Backups to keep").getByText(
        `one per day for ${days} days, one per week for 4 weeks and one per month for 12 months`,
      );
    await words(7).waitFor();
    await button("Change").click();
    const days = page.getByLabel("Days");
    await days.fill("500");
    await page.keyboard.press("Enter");
    await page.getByText("Use a whole number from 0 to 90.").waitFor();
    expect(await days.getAttribute("aria-invalid")).toBe("true");
    await days.fill("3");
    await page.keyboard.press("Enter");
    await words(3).waitFor();
    expect(page.problems(/422/)).toEqual([]);
  });
});

test("failing backups are reported on the backup screen, and after three days by a notice on every tab", async () => {
  const site = await startSite();
  try {
    await createBackup(site);
    for (const name of ["hero.json", "hero.json.bak"]) await unlink(join(site.dataDir, name));
    await open(site, "Your site is backed up");
    await button("Back up now").click();
    await page.getByText(/The last backup failed \(today, .*Nothing was saved: a site/).waitFor();
    expect(await rows().count()).toBe(1);
    site.advance(3 * DAY_MS);
    const owner = await site.logInAsOwner();
    const codes = async () => (await owner.get("/api/notices")).body.map((each: any) => each.code);
    await waitForValue(codes, ["backup"]);
    page = await openLoggedInPage(site);
    await page.goto(`${site.url}/admin/dashboard?tab=press`);
    const notice = page.locator(".notice");
    await notice.getByText("No backup for 3 days").waitFor();
    await notice.getByRole("link", { name: "Open Backups" }).click();
    await heading("No backup for 3 days").waitFor();
    await page.locator(".backups-why", { hasText: "Nothing was saved: a site" }).first().waitFor();
    await button("Account").click();
    await page.locator("#account-menu").getByText("check", { exact: true }).waitFor();
  } finally {
    await site.stop();
  }
});
