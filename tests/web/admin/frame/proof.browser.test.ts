/** Actions that need the password again ask for it in place, and then continue (specification, section 6.3). */
import { expect, test } from "bun:test";
import { type TestPage } from "../../../support/browser.ts";
import { createFinders, openLoggedInPage } from "../../../support/dashboard.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { isFocused } from "../../../support/pageState.ts";
import { OWNER } from "../../../support/site.ts";
import { setUpBrowserSite } from "../../../support/browserSite.ts";
import { type Site, startSite } from "../../../support/startSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site: Site = setUpBrowserSite(startSite);
let page: TestPage;
const { button, dialog } = createFinders(() => page);
const password = () => dialog().getByLabel("Password", { exact: true });

/** The browser logs a refused call and a wrong password to the console. */
const REFUSED_STATUSES = /40[13]|422/;

/** Opens the dashboard of an owner who logged in eleven minutes ago. */
async function openAfterProofExpires(query: string): Promise<void> {
  page = await openLoggedInPage(site, { width: 390 });
  site.advance(11 * 60_000);
  await page.goto(`${site.url}/admin/dashboard?${query}`);
  await page.locator(".tab-head").waitFor();
}

async function exportEverything(): Promise<void> {
  await button("Account").click();
  await button("Export all data").click();
}

test("Export all data asks for the password and then downloads a file, and Escape exports nothing", async () => {
  await openAfterProofExpires("tab=email");
  let downloads = 0;
  page.on("download", () => downloads++);
  await exportEverything();
  await dialog("Confirm it's you").waitFor();
  await waitForValue(() => isFocused(password()), true);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByText("Confirm your password first, then try again.").waitFor();
  expect(downloads).toBe(0);
  await exportEverything();
  await password().fill("not the password");
  await page.keyboard.press("Enter");
  // The error is announced at once; the focus, and with it a phone's keyboard, stays at the password.
  await dialog().getByRole("alert").getByText("The password is wrong.").waitFor();
  await waitForValue(() => isFocused(password()), true);
  expect(await password().getAttribute("aria-invalid")).toBe("true");
  await button("Confirm").click();
  await button("Confirm").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("dialog [name=password]"));
  await password().fill(OWNER.password);
  const coming = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await coming).suggestedFilename()).toMatch(/^limelight-.*\.tar\.gz$/);
  await dialog().waitFor({ state: "detached" });
  const again = page.waitForEvent("download");
  await exportEverything();
  await again;
  expect(page.problems(REFUSED_STATUSES)).toEqual([]);
});
