/** Without a network, and after an upgrade, nothing that was typed is lost and nobody leaves the page. */
import { expect, test } from "bun:test";
import { type TestPage } from "../../../support/browser.ts";
import { setUpDashboard, openDashboard } from "../../../support/dashboard.ts";
import { dropRequests, waitForFailedCheck } from "../../../support/network.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site, { width: 390 });
let page: TestPage;

const bar = () => page.getByRole("region", { name: "Unsaved changes" });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const tab = (name: string) => page.getByRole("tab", { name, exact: true }).first();
const title = () => page.getByLabel("Main Title");
const loadError = (subject: string) =>
  page.getByRole("alert").filter({ hasText: `Couldn't load ${subject}` });
const retry = (subject: string) => loadError(subject).getByRole("button", { name: "Retry" });

async function open(width = 390): Promise<void> {
  await site.asOwner("POST", "/api/hero", { mainTitle: "Before", tagline: "One" });
  await dashboard.open("hero", { width });
  ({ page } = dashboard);
  // The tab's head appears before its content, which has to be loaded before the connection is cut.
  await title().waitFor();
}

/** Opens the tab in a new browser profile, whose session can end and which hasn't cached the code of other tabs. */
async function openAlone(): Promise<void> {
  await site.asOwner("POST", "/api/hero", { mainTitle: "Before", tagline: "One" });
  ({ page } = await openDashboard(site, "hero", { width: 390 }));
  await title().waitFor();
}

/** Simulates an upgrade: the site no longer has the files that this dashboard knows. */
async function upgradeSite(): Promise<void> {
  await page.route("**/assets/*.js", (route) => route.fulfill({ status: 404 }));
}

test("a save while offline reports the missing network in the save bar, and Retry saves later", async () => {
  await open();
  await page.context().setOffline(true);
  await title().fill("After");
  await bar().getByText("Hero: Main Title").waitFor();
  await bar().getByRole("button", { name: /^Save/ }).click();
  await bar().getByText("You're offline.").waitFor();
  expect(await page.locator(".ui-toast").count()).toBe(0);
  await page.context().setOffline(false);
  await bar().getByRole("button", { name: "Retry" }).click();
  const stored = async () => (await site.asOwner("GET", "/api/hero")).mainTitle;
  await waitForValue(stored, "After");
});

test("the preview, the version history and the account menu report it when they can't be loaded", async () => {
  await open(1366);
  await dropRequests(page, "**/assets/*.js");
  await button("History").click();
  await loadError("the earlier versions").waitFor();
  await page.keyboard.press("Escape");
  await button("Account").click();
  await loadError("the menu").waitFor();
  await page.keyboard.press("Escape");
  await page.unrouteAll();
  await dropRequests(page, /sections|Press|Transformations|Coaching(?!Tab)/);
  await page.goto(`${site.url}/admin/dashboard?tab=coaching`);
  await loadError("the preview").first().waitFor();
});

test("the toast of a failed save disappears when another tab is opened, and the save bar stays", async () => {
  await open();
  await dropRequests(page, "**/api/hero");
  await title().fill("After");
  await tab("Files").click();
  await bar().getByText("Unsaved changes in Hero").waitFor();
  await page.keyboard.press("Control+s");
  const toast = page.locator(".ui-toast[data-destructive]");
  await toast.waitFor();
  await tab("About").click();
  await toast.waitFor({ state: "detached" });
  await bar().getByText("Unsaved changes in Hero").waitFor();
});

test("when the session ends, the dashboard asks for the password in a dialog, even if no code can be loaded", async () => {
  await openAlone();
  await dropRequests(page, "**/assets/*.js");
  await title().fill("After");
  await page.context().clearCookies();
  await bar().getByRole("button", { name: /^Save/ }).click();
  await page.getByRole("dialog", { name: "Log in again" }).waitFor();
});

test("a tab that can't be loaded offers Retry, which waits for the network and keeps the owner's input", async () => {
  await openAlone();
  await title().fill("After");
  await page.context().setOffline(true);
  // After a failure the page checks whether the site has a new version.
  const firstCheck = waitForFailedCheck(page);
  await tab("Files").click();
  await firstCheck;
  // Other parts that were loading may fail too.
  await page.waitUntilSettled();
  // Retry first checks that the site responds. The connection is restored only after this check, or the first press
  // would already load the tab.
  const secondCheck = waitForFailedCheck(page);
  await retry("Files").click();
  await secondCheck;
  await loadError("Files").getByText("Check your connection, then try again.").waitFor();
  await page.context().setOffline(false);
  await retry("Files").click();
  await page.getByRole("heading", { name: "Files", exact: true }).waitFor();
  await page.getByRole("tab", { name: /^Hero unsaved changes/ }).click();
  expect(await title().inputValue()).toBe("After");
});

test("a form works if its text editor can't be loaded, and Retry loads the editor", async () => {
  await open();
  const mend = await dropRequests(page, /RichTextField/);
  await tab("About").click();
  await loadError("the text editor").waitFor();
  await page.getByLabel("Title", { exact: true }).fill("After");
  // The preview's sheet is hidden while a field has the focus.
  await page.getByLabel("Title", { exact: true }).blur();
  await mend();
  await retry("the text editor").click();
  await page.locator(".jodit-wysiwyg").waitFor();
  expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("After");
});

test("an upgrade of the program is reported when the owner returns or opens a tab, and Reload keeps unsaved input", async () => {
  await open();
  await title().fill("After");
  await upgradeSite();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("status").getByText("A new version is available.").waitFor();
  await tab("Files").click();
  await loadError("Files").getByText("A new version is available.").waitFor();
  await page.unrouteAll();
  let hasDialog = false;
  page.on("dialog", (dialog) => {
    hasDialog = true;
    void dialog.accept();
  });
  await button("Reload").click();
  await page.getByRole("heading", { name: "Files", exact: true }).waitFor();
  await bar().getByText("Unsaved changes in Hero").waitFor();
  expect(hasDialog).toBe(false);
});
