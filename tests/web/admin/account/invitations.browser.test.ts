/** Invitations in a real browser: made, taken, taken back, and ended with their maker's rights (specification, section 6.1). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closePages, newPage, type TestPage } from "../../../support/browser.ts";
import { finders, loggedInPage } from "../../../support/dashboard.ts";
import { expectSound } from "../../../support/expectSound.ts";
import { OWNER } from "../../../support/site.ts";
import { siteInBrowser } from "../../../support/siteInBrowser.ts";
import { type Site, startSite } from "../../../support/startSite.ts";
import { toastSaid } from "../../../support/toasts.ts";

let site: Site;
let page: TestPage;
const { button, dialog, card } = finders(() => page);
siteInBrowser(async () => ({ stop: async () => {} }));

beforeEach(async () => {
  site = await startSite();
});
afterEach(async () => {
  await closePages();
  await site.stop();
});

async function open(screen: string, width = 1366): Promise<void> {
  page = await loggedInPage(site, { width });
  await page.goto(`${site.url}/admin/dashboard?account=${screen}`);
  await page.locator(".account-page .card").first().waitFor();
}

describe("an invitation", () => {
  test("is made, handed over, taken, and its person removed again", async () => {
    await open("people");
    await page.getByLabel("Their email").fill("kim@agency.example");
    await page.getByLabel("Role", { exact: true }).selectOption("Editor");
    await button("Make a link").click();
    const link = await page.locator(".ui-copied code").textContent();
    await card("People").getByText("invited by you, 7 days left").waitFor();
    const owners = page;
    page = await newPage();
    await page.goto(link!);
    await page.getByRole("heading", { name: "Join Your Name" }).waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("kim@agency.example");
    await page.getByLabel("Username").fill("kim");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await button("Join").click();
    await page.getByText("Use at least 12 characters.").first().waitFor();
    await page.getByLabel("Password", { exact: true }).fill("quiet rows of velvet");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/admin\/dashboard/);
    await page.getByText("Editor").first().waitFor();
    page = await newPage();
    await page.goto(link!);
    await page.getByText("This invitation no longer works. Ask for a new one.").waitFor();
    page = owners;
    await page.reload();
    await page.getByLabel("Role of kim").selectOption("Reader");
    await toastSaid(page, "kim is now Reader");
    // Who takes an owner's rights away, or their own, is asked first.
    await page.getByLabel("Role of kim").selectOption("Owner");
    await toastSaid(page, "kim is now Owner");
    await page.getByLabel(`Role of ${OWNER.username}`).selectOption("Reader");
    await dialog("Make yourself Reader?").getByRole("button", { name: "Stay Owner" }).click();
    expect(await page.getByLabel(`Role of ${OWNER.username}`).inputValue()).toBe("admin");
    await page.getByLabel("Role of kim").selectOption("Reader");
    await dialog("Make kim Reader?").getByRole("button", { name: "Change role" }).click();
    await page.getByLabel(`Role of ${OWNER.username}`).waitFor({ state: "detached" });
    await button("Remove kim").click();
    await dialog().getByText("They are logged out at once").waitFor();
    await button("Remove").last().click();
    await toastSaid(page, "kim was removed");
    await page.getByLabel("Role of kim").waitFor({ state: "detached" });
  });

  test("says who made it, and the dialogs say that it ends with their rights", async () => {
    const lee = await site.loginAs("admin");
    for (const email of ["kim@agency.example", "sam@agency.example"])
      await lee.post("/api/invitations", { email, role: "editor" });
    await open("people");
    await card("People").getByText("invited by admin-1, 7 days left").first().waitFor();
    await page.getByLabel("Role of admin-1").selectOption("Editor");
    await dialog("Make admin-1 Editor?").getByText("2 open invitations end too.").waitFor();
    await expectSound(page);
    await button("Stay Owner").click();
    await button("Take back the invitation of sam@agency.example").click();
    await toastSaid(page, "Invitation revoked");
    await button("Remove admin-1").click();
    await dialog().getByText("The open invitation of kim@agency.example ends too.").waitFor();
    await button("Remove").last().click();
    await toastSaid(page, "admin-1 was removed");
    await button("Take back the invitation of kim@agency.example").waitFor({ state: "detached" });
  });

  test("is taken back", async () => {
    await open("people");
    await page.getByLabel("Their email").fill("kim@agency.example");
    await button("Make a link").click();
    await button("Take back the invitation of kim@agency.example").click();
    await toastSaid(page, "Invitation revoked");
    await card("People").getByText("kim@agency.example").waitFor({ state: "detached" });
  });

  test("says in place what is wrong", async () => {
    await open("people");
    await page.getByLabel("Their email").fill("kim");
    await button("Make a link").click();
    await page.getByText("Enter an email address such as name@example.com.").waitFor();
  });
});
