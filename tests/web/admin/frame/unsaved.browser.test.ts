/** Typed text is never lost (specification, section 4.6). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { TestPage } from "../../../support/browser.ts";
import { setUpDashboard, followLink, openDashboard } from "../../../support/dashboard.ts";
import { OWNER } from "../../../support/site.ts";
import { holdRequests, respondAsProxy } from "../../../support/network.ts";
import { toastOf } from "../../../support/pageState.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForToast } from "../../../support/toasts.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpEmptySite();
// A phone has no preview beside the form; hardly any of these tests needs one.
const dashboard = setUpDashboard(site, { width: 390 });
let page: TestPage;
beforeEach(() => site.asOwner("POST", "/api/hero", { mainTitle: "Before", tagline: "One • Two" }));

async function open(width = 390): Promise<void> {
  await dashboard.open("hero", { width });
  ({ page } = dashboard);
  await title().waitFor();
}

/** Opens the tab in a new browser profile, whose session can end. */
async function openAlone(width = 390): Promise<void> {
  ({ page } = await openDashboard(site, "hero", { width }));
  await title().waitFor();
}
afterEach(async () => {
  if (page !== dashboard.page) await page.context().close();
});

const title = () => page.getByLabel("Main Title");
const bar = () => page.getByRole("region", { name: "Unsaved changes" });
const barButton = (name: RegExp) => bar().getByRole("button", { name });
const tab = (name: string) => page.getByRole("tab", { name }).first();
const readStoredTitle = async () => (await site.asOwner("GET", "/api/hero")).mainTitle;

test("The save bar appears only with unsaved changes, which it names, and reports an invalid field after Save", async () => {
  await open(1366);
  expect(await bar().isVisible()).toBe(false);
  await title().fill("After");
  await page.getByLabel("Tagline").fill("Three");
  await bar().getByText("Hero: Main Title, Tagline").waitFor();
  await barButton(/Discard/).click();
  await bar().waitFor({ state: "hidden" });
  expect(await title().inputValue()).toBe("Before");
  await waitForToast(page, "Changes discarded");
  await toastOf(page).getByRole("button", { name: "Undo" }).click();
  await bar().getByText("Hero: Main Title, Tagline").waitFor();
  expect(await title().inputValue()).toBe("After");
  // Typing the stored value again leaves no change.
  await title().fill("Before");
  await page.getByLabel("Tagline").fill("One • Two");
  await bar().waitFor({ state: "hidden" });
  await title().fill("");
  await title().blur();
  expect(await title().getAttribute("aria-invalid")).toBe("true");
  const note = page.locator(`[id="${await title().getAttribute("aria-describedby")}"]`);
  expect(await note.innerText()).toContain("This can't be empty.");
  await barButton(/^Save/).click();
  await bar().getByText("Please fill in all text fields").waitFor();
  expect(await toastOf(page).count()).toBe(0);
  expect(await readStoredTitle()).toBe("Before");
  await title().fill("After");
  expect(await title().getAttribute("aria-invalid")).toBeNull();
});

test("On a phone Discard works while a field has the focus, and a save disables the save bar's buttons", async () => {
  await open();
  await title().fill("After");
  await bar().getByRole("button", { name: "Preview" }).waitFor();
  await barButton(/Discard/).click();
  await bar().waitFor({ state: "hidden" });
  expect(await title().inputValue()).toBe("Before");
  const release = await holdRequests(page, "**/api/hero");
  await title().fill("After");
  await barButton(/^Save/).click();
  await barButton(/Saving\.\.\./).waitFor();
  expect(await barButton(/Saving\.\.\./).isDisabled()).toBe(true);
  expect(await barButton(/Discard/).isDisabled()).toBe(true);
  await title().fill("After all");
  release();
  await waitForToast(page, "Hero content updated successfully");
  await bar().getByText("Hero: Main Title").waitFor();
  expect(await readStoredTitle()).toBe("After");
  expect(await title().inputValue()).toBe("After all");
  await barButton(/^Save/).click();
  await bar().waitFor({ state: "hidden" });
  await waitForToast(page, "Hero content updated successfully");
  expect(await readStoredTitle()).toBe("After all");
});

describe("unsaved changes in another tab", () => {
  test("are listed with Open, and aren't saved by Save in the current tab", async () => {
    await open();
    await title().fill("After");
    await tab("About").click();
    await bar().getByText("Unsaved changes in Hero", { exact: true }).waitFor();
    await page.getByRole("tab", { name: /Hero unsaved changes/ }).waitFor();
    expect(await bar().getByRole("button").count()).toBe(0);
    await bar().getByRole("link", { name: "Open Hero" }).click();
    await bar().getByText("Hero: Main Title").waitFor();
    expect(await title().inputValue()).toBe("After");
    await tab("About").click();
    await page.getByLabel("Title", { exact: true }).fill("MY STORY");
    await bar().getByText("About: Title", { exact: true }).waitFor();
    await barButton(/^Save/).click();
    await waitForToast(page, "About content updated successfully");
    await bar().getByText("Unsaved changes in Hero").waitFor();
    expect(await readStoredTitle()).toBe("Before");
    // The same applies to account screens and several tabs; Ctrl+S saves the changes of all.
    await followLink(page, "tab=hero&account=site");
    await page.getByLabel("Designer credit", { exact: true }).fill("Studio Nine");
    await bar().getByText("Site: Designer credit").waitFor();
    await dashboard.goTo("files");
    await bar().getByText("Unsaved changes in Hero and 1 more").waitFor();
    await page.keyboard.press("Control+s");
    await bar().waitFor({ state: "hidden" });
    await waitForValue(readStoredTitle, "After");
    const storedCredit = async () => (await site.asOwner("GET", "/api/site")).agencyName;
    await waitForValue(storedCredit, "Studio Nine");
  });

  test("can be discarded from any tab after their section was removed", async () => {
    await site.asOwner("POST", "/api/extras", { on: ["announcement"] });
    await dashboard.open("announcement");
    ({ page } = dashboard);
    await page.getByLabel("Text", { exact: true }).fill("Tonight");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Add Announcement" }).waitFor();
    await barButton(/Discard/).click();
    await bar().waitFor({ state: "hidden" });
  });
});

test("Unsaved input survives a reload, and is saved as its form would save it, even if the form isn't opened", async () => {
  await open();
  await title().fill("After");
  await tab("About").click();
  await page.getByLabel("Title", { exact: true }).fill("After");
  await page.getByLabel("Background Color", { exact: true }).fill("#112233");
  await bar().getByText("About: Title").waitFor();
  const dialogType = Promise.withResolvers<string>();
  page.once("dialog", (dialog) => {
    dialogType.resolve(dialog.type());
    void dialog.accept();
  });
  await page.goto(`${site.url}/admin/dashboard?tab=hero`);
  expect(await dialogType.promise).toBe("beforeunload");
  await title().waitFor();
  expect(await title().inputValue()).toBe("After");
  await dashboard.goTo("files");
  await bar().getByText("Unsaved changes in Hero and 1 more").waitFor();
  const sent: any[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.postDataJSON());
  });
  await page.keyboard.press("Control+s");
  await waitForToast(page, "About background color updated successfully");
  expect(await toastOf(page).count()).toBeLessThan(2);
  await bar().waitFor({ state: "hidden" });
  await waitForValue(readStoredTitle, "After");
  // The image is sent only if one is selected (specification).
  const about = sent.find((body) => body.title === "After");
  expect(Object.keys(about).sort()).toEqual(["content", "title"]);
  expect(await site.asOwner("GET", "/api/styles")).toMatchObject({
    aboutBackgroundColor: "#112233",
  });
});

test("Two windows share unsaved input, so neither overwrites the other's, and a save updates both windows", async () => {
  await openAlone(1366);
  const other = await page.context().newPage();
  await other.goto(`${site.url}/admin/dashboard?tab=about`);
  const otherBar = other.getByRole("region", { name: "Unsaved changes" });
  await title().fill("In the first");
  await otherBar.getByText("Unsaved changes in Hero").waitFor();
  await other.getByLabel("Title", { exact: true }).fill("In the second");
  await otherBar.getByText("About: Title").waitFor();
  await barButton(/Discard/).click();
  await bar().getByText("Unsaved changes in About").waitFor();
  await otherBar.getByRole("button", { name: /Discard/ }).click();
  await bar().waitFor({ state: "hidden" });
  await title().fill("In the first again");
  await otherBar.getByText("Unsaved changes in Hero").waitFor();
  await other.keyboard.press("Control+s");
  await bar().waitFor({ state: "hidden" });
  await page.waitForFunction(
    (label) => document.querySelector<HTMLInputElement>(label)?.value === "In the first again",
    `#${await title().getAttribute("id")}`,
  );
  const storedKeys = () => page.evaluate(() => Object.keys(localStorage));
  await waitForValue(async () => (await storedKeys()).includes("limelight:draft:hero"), false);
  await other.close();
});

test("A stored draft is restored, and unreadable drafts stay in the browser's storage", async () => {
  await open();
  await page.evaluate(() => {
    const draft = {
      id: "hero",
      key: "hero",
      tab: "hero",
      name: "Hero",
      isInSaveBar: true,
      changes: { mainTitle: "Of old" },
      etag: null,
      errors: {},
      phase: "unsaved",
      reason: "",
    };
    const later = { ...draft, id: "someday", key: "someday" };
    for (const each of [draft, later])
      localStorage.setItem(`limelight:draft:${each.id}`, JSON.stringify(each));
    localStorage.setItem("limelight:draft:broken", "{");
  });
  await page.reload();
  await title().waitFor();
  expect(await title().inputValue()).toBe("Of old");
  await barButton(/^Save/).click();
  await waitForValue(readStoredTitle, "Of old");
  const names = () => page.evaluate(() => Object.keys(localStorage));
  await waitForValue(async () => (await names()).includes("limelight:draft:hero"), false);
  expect(await names()).toContain("limelight:draft:someday");
  expect(await names()).toContain("limelight:draft:broken");
});

test("logging out with unsaved changes asks whether to keep them on this device, discard them, or cancel", async () => {
  const storedDraft = () => page.evaluate(() => localStorage.getItem("limelight:draft:hero"));
  const answer = (name: string) =>
    page.getByRole("dialog", { name: "Log out?" }).getByRole("button", { name, exact: true });
  const logOut = async () => {
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByText("You have unsaved changes: Hero.").waitFor();
  };
  await openAlone();
  await title().fill("After");
  await logOut();
  await answer("Cancel").click();
  await answer("Cancel").waitFor({ state: "detached" });
  expect(await title().inputValue()).toBe("After");
  expect(page.url()).toContain("/admin/dashboard");
  await logOut();
  await answer("Keep and log out").click();
  await page.waitForURL(/\/admin\/login$/);
  expect(await storedDraft()).toContain("After");
  const { username, password } = OWNER;
  await page.request.post(`${site.url}/api/auth/login`, { data: { username, password } });
  await page.goto(`${site.url}/admin/dashboard?tab=hero`);
  await logOut();
  await answer("Discard and log out").click();
  await page.waitForURL(/\/admin\/login$/);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("After");
  await page.reload();
  expect(await storedDraft()).toBeNull();
});

test("a failed save is reported once, in the save bar, and Retry doesn't overwrite an edit made elsewhere meanwhile", async () => {
  await open();
  await title().fill("After");
  for (const [status, reason, code] of [
    [413],
    [409, "A backup is being restored."],
    [429, "Too many requests.", "too_many_requests"],
    [500, "Something went wrong.", "internal"],
  ] as [number, string?, string?][]) {
    const body = reason && { error: reason, ...(code && { code }) };
    const restore = await respondAsProxy(page, "**/api/hero", status, body);
    await barButton(/^(?:Save|Retry)/).click();
    const words = `Failed to update hero content${reason ? `. ${reason}` : ""}`;
    await bar().getByText(words).waitFor();
    await bar().getByText("Error", { exact: true }).waitFor();
    // The error is announced too.
    await page.getByText(`Error: ${words}`).waitFor({ state: "attached" });
    expect(await toastOf(page).count()).toBe(0);
    await restore();
  }
  await barButton(/Retry/).click();
  await waitForValue(readStoredTitle, "After");
  await bar().waitFor({ state: "hidden" });
  await title().fill("Mine");
  await site.asOwner("POST", "/api/hero", { mainTitle: "Theirs", subtitle: "Also theirs" });
  await barButton(/^Save/).click();
  await page.getByRole("dialog", { name: "Changed in another window" }).waitFor();
  const row = page.getByRole("row", { name: /Main Title/ });
  expect(await row.innerText()).toContain("Theirs");
  expect(await row.innerText()).toContain("Mine");
  expect(await readStoredTitle()).toBe("Theirs");
  await page.getByRole("button", { name: "Keep saved version" }).click();
  await bar().waitFor({ state: "hidden" });
  expect(await title().inputValue()).toBe("Theirs");
});

test("a toast is above the save bar, however many lines the reason of a failed save takes", async () => {
  await open(1366);
  await title().fill("After");
  const error = "A backup is being restored, and nothing can be saved meanwhile. ".repeat(6);
  const restore = await respondAsProxy(page, "**/api/hero", 409, { error });
  await barButton(/^Save/).click();
  await bar().getByText("Error", { exact: true }).waitFor();
  const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("No picture") };
  await page.locator(".tile-upload input").setInputFiles(file);
  const toast = toastOf(page).filter({ hasText: "Only JPEG, PNG, WebP, and GIF files" });
  await toast.waitFor();
  const isAbove = async () => {
    const [above, below] = await Promise.all([toast.boundingBox(), bar().boundingBox()]);
    return above!.y + above!.height <= below!.y;
  };
  await waitForValue(isAbove, true);
  await restore();
  await barButton(/Discard/).click();
});

test("A save in an expired session asks for the password in a dialog and then saves, and Cancel keeps the input", async () => {
  await openAlone();
  await title().fill("After the session");
  await page.context().clearCookies();
  // The cached current user is no longer fresh.
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 600_000;
  });
  await barButton(/^Save/).click();
  const dialog = page.getByRole("dialog", { name: "Log in again" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await bar().getByText("Error", { exact: true }).waitFor();
  expect(await title().inputValue()).toBe("After the session");
  await barButton(/Retry/).click();
  await dialog.getByLabel("Password", { exact: true }).fill("not the password");
  await dialog.getByRole("button", { name: "Login" }).click();
  await dialog.getByText("The username or password is wrong.").waitFor();
  await dialog.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await dialog.getByRole("button", { name: "Login" }).click();
  await waitForValue(readStoredTitle, "After the session");
  await dialog.waitFor({ state: "detached" });
});
