/**
 * People, invitations, the views of each role, and Activity, in a real browser (specification, sections 6.1 and
 * 6.7).
 */
import { beforeEach, describe, expect, test } from "bun:test";
import { getInitialValues } from "../../../../src/schema/entities/check.ts";
import { entities } from "../../../../src/schema/index.ts";
import {
  computeTotpCode,
  decodeTotpSecret,
  computeTimeStep,
} from "../../../../src/server/accounts/totp.ts";
import type { Role } from "../../../../src/schema/core/roles.ts";
import { blockCookies, COOKIES_BLOCKED } from "../../../support/blockCookies.ts";
import { newPage, type TestPage } from "../../../support/browser.ts";
import { Client } from "../../../support/client.ts";
import { makeForm, submitEnquiry } from "../../../support/enquiryForm.ts";
import {
  createFinders,
  openLoggedInPage,
  openPageAs,
  readTabNames,
} from "../../../support/dashboard.ts";
import { measureBoxes, isFocused } from "../../../support/pageState.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { holdRequests } from "../../../support/network.ts";
import { OWNER } from "../../../support/site.ts";
import { setUpBrowserSite, UNLIMITED } from "../../../support/browserSite.ts";
import { type Site, startSite } from "../../../support/startSite.ts";
import { waitForToast } from "../../../support/toasts.ts";

const site: Site = setUpBrowserSite(() => startSite({ env: UNLIMITED }));
let page: TestPage;
const { button, dialog, card } = createFinders(() => page);

beforeEach(async () => {
  const users = await site.asOwner<{ id: string; username: string }[]>("GET", "/api/users");
  for (const { id, username } of users)
    if (username !== OWNER.username) await site.asOwner("DELETE", `/api/users/${id}`);
});

async function open(screen: string, width = 1366): Promise<void> {
  page = await openLoggedInPage(site, { width });
  await page.goto(`${site.url}/admin/dashboard?account=${screen}`);
  await page.locator(".account-page .card").first().waitFor();
}

/** Opens the dashboard as a person with this role. */
async function openAs(role: Role, query = ""): Promise<void> {
  page = await openPageAs(await site.logInAs(role));
  await page.goto(`${site.url}/admin/dashboard${query}`);
  await page.locator(".tab-head").waitFor();
}

const tabs = () => page.getByRole("tab").filter({ visible: true });
const readRailTabNames = async () =>
  (await page.locator(".rail [role=tab]").allTextContents()).map((text) => text.trim());

describe("the dashboard shows each role what it may do", () => {
  const refusedUrls: string[] = [];
  const recordRefusals = () => {
    refusedUrls.length = 0;
    page.on("response", (response) => {
      if (response.status() === 403) refusedUrls.push(response.url());
    });
  };

  test("an editor sees everything except what visitors sent and the site's settings", async () => {
    await openAs("editor");
    recordRefusals();
    expect(await readRailTabNames()).toEqual(
      (await readTabNames()).filter((name) => name !== "Email"),
    );
    await page.getByLabel("Subtitle").fill("By an editor");
    await page.getByRole("main").getByRole("button", { name: "Save Hero Content" }).first().click();
    await waitForToast(page, "Hero content updated successfully");
    await tabs().filter({ hasText: "Forms" }).first().click();
    await page.getByRole("tab", { name: "Builder" }).waitFor();
    expect(await page.getByRole("tab", { name: /^Submissions/ }).count()).toBe(0);
    await button("Account").click();
    const screens = page.locator(".account-menu a");
    await screens.filter({ hasText: "Security" }).waitFor();
    expect(
      await screens.filter({ hasText: /People|Activity|settings|Backups|Trash/ }).count(),
    ).toBe(0);
    expect(await button("Export all data").count()).toBe(0);
    await page.goto(`${site.url}/admin/dashboard?account=people`);
    await page.getByLabel("New password").waitFor();
    expect(refusedUrls).toEqual([]);
  });

  test("a reader sees only the submissions", async () => {
    const { formId, ids } = await makeForm(site, "Talk to me", [["text", "Name"]]);
    await submitEnquiry(site, formId, { [ids[0]!]: "Eve" });
    await openAs("reader");
    recordRefusals();
    expect((await readRailTabNames()).join()).toMatch(/^Forms/);
    expect(await readRailTabNames()).toHaveLength(1);
    await page.getByText("Eve").first().click();
    await button("Mark Reviewed").first().click();
    await waitForToast(page, "Submission status updated successfully");
    expect(await page.getByRole("button", { name: /^Delete|Export/ }).count()).toBe(0);
    expect(refusedUrls).toEqual([]);
  });
});

test("the activity log is grouped by day, and can be searched and filtered", async () => {
  await open("happened");
  const owner = new Client(site.url);
  await owner.post("/api/auth/login", OWNER);
  await owner.post("/api/hero", { subtitle: "Tonight" });
  await site.visitor().post("/api/auth/login", { username: "Ada", password: "not this one" });
  // The audit log is written after the response.
  await site.waitForAuditLog();
  await page.reload();
  const log = page.locator(".activity-list");
  await log.getByText("Ada changed Hero: Subtitle").waitFor();
  await log.getByText("Unknown user entered a wrong password").waitFor();
  await log.getByRole("heading", { name: "Today" }).waitFor();
  await page.getByLabel("Filter activity").selectOption("Failed logins");
  await log.getByText("Ada changed Hero").waitFor({ state: "detached" });
  expect(await log.locator("li").count()).toBe(1);
  await page.getByLabel("Filter activity").selectOption("All activity");
  await page.getByLabel("Search activity").fill("hero");
  await log.getByText("Unknown user").waitFor({ state: "detached" });
  await log.getByText("Ada changed Hero: Subtitle").waitFor();
  await page.getByLabel("Search activity").fill("nothing like that");
  await log.getByText("No results").waitFor();
  const entries = site.store.of(entities.auditLog);
  const entry = getInitialValues(entities.auditLog.fields);
  for (let at = 0; at < 60; at++)
    await entries.insert({
      ...entry,
      id: `${at}`,
      at: new Date().toISOString(),
      who: "Ada",
      what: `did ${at}`,
    });
  await page.reload();
  const rows = page.locator(".activity-list li");
  await rows.first().waitFor();
  expect(await rows.count()).toBe(50);
  await button("Show more").click();
  await page.waitForFunction(() => document.querySelectorAll(".activity-list li").length > 50);
});

describe("an invitation", () => {
  test("creates one account, whose role can be changed and which can be removed", async () => {
    await open("people");
    // The last owner's role can't be lowered, nor the account removed.
    await card("People").getByText("Owner").waitFor();
    // On a phone too the role is beside the name.
    await page.setViewportSize({ width: 390, height: 844 });
    const [name, role] = await measureBoxes(card("People").locator(".title-note, .badge"));
    expect(role!.left).toBeGreaterThanOrEqual(name!.right);
    await page.setViewportSize({ width: 1366, height: 768 });
    expect(await page.getByLabel(`Role of ${OWNER.username}`).count()).toBe(0);
    expect(await button(`Remove ${OWNER.username}`).count()).toBe(0);
    await page.getByLabel("Their email").fill("kim");
    await button("Create link").click();
    await page.getByText("Enter an email address such as name@example.com.").waitFor();
    await page.getByLabel("Their email").fill("kim@agency.example");
    await page.getByLabel("Role", { exact: true }).selectOption("Editor");
    await button("Create link").click();
    const link = await page.locator(".ui-copied code").textContent();
    await card("People").getByText("invited by you, expires in 7 days").waitFor();
    const owners = page;
    page = await newPage();
    await page.goto(link!);
    await page.getByRole("heading", { name: "Join Your Name" }).waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("kim@agency.example");
    await page.getByLabel("Username").fill("kim");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await button("Create account").click();
    await page.getByText("Use at least 12 characters.").first().waitFor();
    await page.getByLabel("Password", { exact: true }).fill("quiet rows of velvet");
    const allow = await blockCookies(page);
    await page.keyboard.press("Enter");
    await page.getByText(COOKIES_BLOCKED).waitFor();
    await allow();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/admin\/dashboard/);
    await page.getByText("Editor").first().waitFor();
    page = await newPage();
    await page.goto(link!);
    await page.getByText("This invitation no longer works. Ask for a new one.").waitFor();
    page = owners;
    await page.reload();
    const roleOfKim = page.getByLabel("Role of kim");
    const release = await holdRequests(page, "**/api/users/*");
    await roleOfKim.selectOption("Reader");
    await roleOfKim.and(page.locator("[aria-busy=true]")).waitFor();
    // Until the new role is stored, no other one can be chosen.
    await roleOfKim.selectOption("Owner");
    expect(await roleOfKim.inputValue()).toBe("reader");
    release();
    await waitForToast(page, "kim's role is now Reader");
    await roleOfKim.and(page.locator("[aria-busy=false]")).waitFor();
    expect(await roleOfKim.inputValue()).toBe("reader");
    // Removing an owner's rights, or one's own, needs a confirmation.
    await page.getByLabel("Role of kim").selectOption("Owner");
    await waitForToast(page, "kim's role is now Owner");
    await page.getByLabel(`Role of ${OWNER.username}`).selectOption("Reader");
    await dialog("Change your role to Reader?").getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByLabel(`Role of ${OWNER.username}`).inputValue()).toBe("admin");
    await page.getByLabel("Role of kim").selectOption("Reader");
    await dialog("Change kim's role to Reader?")
      .getByRole("button", { name: "Change role" })
      .click();
    await page.getByLabel(`Role of ${OWNER.username}`).waitFor({ state: "detached" });
    await button("Remove kim").click();
    await dialog().getByText("They'll be logged out immediately").waitFor();
    await button("Remove").last().click();
    await waitForToast(page, "kim was removed");
    await page.getByLabel("Role of kim").waitFor({ state: "detached" });
  });

  test("shows its creator, and is revoked when the creator is demoted or removed", async () => {
    const lee = await site.logInAs("admin");
    const { username } = (await lee.get("/api/auth/me")).body;
    for (const email of ["kim@agency.example", "sam@agency.example"])
      await lee.post("/api/invitations", { email, role: "editor" });
    await open("people");
    await card("People").getByText(`invited by ${username}, expires in 7 days`).first().waitFor();
    await page.getByLabel(`Role of ${username}`).selectOption("Editor");
    await dialog(`Change ${username}'s role to Editor?`)
      .getByText("2 pending invitations will be revoked too.")
      .waitFor();
    await button("Cancel").click();
    const revoke = button("Revoke invitation for sam@agency.example");
    const release = await holdRequests(page, "**/api/invitations/*");
    await revoke.click();
    await revoke.and(page.locator("[aria-disabled=true]")).waitFor();
    expect(await isFocused(revoke)).toBe(true);
    release();
    await waitForToast(page, "Invitation revoked");
    await button(`Remove ${username}`).click();
    await dialog()
      .getByText("The pending invitation for kim@agency.example will be revoked too.")
      .waitFor();
    await button("Remove").last().click();
    await waitForToast(page, `${username} was removed`);
    await button("Revoke invitation for kim@agency.example").waitFor({ state: "detached" });
  });
});

/** These tests are last, since the owner keeps the second factor. */
describe("two-factor authentication that an owner requires for everyone", () => {
  const computeCurrentCode = (secret: string) =>
    computeTotpCode(decodeTotpSecret(secret), computeTimeStep(Date.now()));

  test("must be set up at the next login by everyone who hasn't yet, before the dashboard opens", async () => {
    const { username } = (await (await site.logInAs("editor")).get("/api/auth/me")).body;
    await open("people");
    await card("Two-factor authentication").getByText("Set it up for yourself first").waitFor();
    expect(await button("Require").isDisabled()).toBe(true);
    const owner = new Client(site.url);
    await owner.post("/api/auth/login", OWNER);
    const { secret } = (await owner.post("/api/auth/authenticator")).body;
    await owner.post("/api/auth/authenticator/confirm", { code: computeCurrentCode(secret) });
    await page.reload();
    await card("Two-factor authentication").getByText("One person has neither").waitFor();
    await card("People").getByText("no two-factor authentication").waitFor();
    await button("Require").click();
    await dialog().getByText("Everyone else will be logged out.").waitFor();
    await dialog().getByRole("button", { name: "Require" }).click();
    await card("Two-factor authentication").getByText("Required for everyone").waitFor();
    expect(page.problems()).toEqual([]);
    const owners = page;

    page = await newPage({ width: 390 });
    await page.goto(`${site.url}/admin/login`);
    await page.getByLabel("Username or email").fill(username);
    await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    expect(await page.getByRole("tab").count()).toBe(0);
    expect(await button("Go to the dashboard").count()).toBe(0);
    await expectAccessible(page);
    await button("Set up").click();
    const key = await page.locator(".ui-copied code").textContent();
    await page
      .getByLabel("2. Enter the 6-digit code")
      .fill(computeCurrentCode(key!.replaceAll(" ", "")));
    await page.keyboard.press("Enter");
    await page.getByRole("checkbox").check();
    await button("Done").click();
    await page.getByRole("heading", { name: "You're all set" }).waitFor();
    await button("Go to the dashboard").click();
    await page.locator(".tab-head").waitFor();

    page = owners;
    await page.reload();
    await button(`Remove two-factor authentication for ${username}`).click();
    await dialog().getByText("only after checking that the request is really from them").waitFor();
    await button("Remove").click();
    await waitForToast(page, `Two-factor authentication removed for ${username}`);
    await button("Make optional").click();
    await dialog().getByRole("button", { name: "Make optional" }).click();
    await card("Two-factor authentication").getByText("Optional", { exact: true }).waitFor();
  });
});
