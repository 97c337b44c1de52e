/** The setup page of a new site (specification, section 2.7). */
import { afterAll, describe, expect, test } from "bun:test";
import { findBarriers } from "../../../support/axe.ts";
import { blockCookies, COOKIES_BLOCKED } from "../../../support/blockCookies.ts";
import { closePages, getHeight, newPage, type TestPage } from "../../../support/browser.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { toastOf } from "../../../support/pageState.ts";
import { OWNER } from "../../../support/site.ts";
import { setUpBrowserSite } from "../../../support/browserSite.ts";
import { startSite } from "../../../support/startSite.ts";
import { recordToasts, waitForToast } from "../../../support/toasts.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpBrowserSite(() => startSite({ hasOwner: false }));
let page: TestPage;

const getSetupLink = () => site.url + site.setup!.createPath();
const field = (label: string) => page.getByLabel(label, { exact: true });
const createButton = () => page.getByRole("button", { name: "Create site" });

async function open(address: string, width = 1366): Promise<void> {
  page = await newPage({ width });
  await page.goto(address);
}

test("before the setup the login page says below its two fields that the site isn't set up", async () => {
  await open(`${site.url}/admin`);
  for (const width of [390, 1366]) {
    await page.setViewportSize({ width, height: getHeight(width) });
    const note = page.getByRole("note").filter({ hasText: "This site isn't set up yet." });
    await note.waitFor();
    for (const label of ["Username or email", "Password"])
      expect(await field(label).isVisible()).toBe(true);
    const [below, button] = await Promise.all([
      note.boundingBox(),
      page.getByRole("button", { name: "Login" }).boundingBox(),
    ]);
    expect(below!.y).toBeGreaterThan(button!.y);
    expect(await findBarriers(page)).toEqual([]);
  }
});

test("the setup form shows each error at its field, and keeps the input", async () => {
  await open(getSetupLink(), 390);
  await field("Site name").fill("Vera Lane");
  await field("Password").fill("short");
  await createButton().click();
  await field("Username").and(page.locator("[aria-invalid=true]:focus")).waitFor();
  // No toast repeats the errors.
  expect(await toastOf(page).count()).toBe(0);
  expect(await field("Password").getAttribute("aria-invalid")).toBe("true");
  expect(await field("Site name").inputValue()).toBe("Vera Lane");
  expect(await findBarriers(page)).toEqual([]);
});

test("a browser that blocks cookies gets a message before the setup link is used up", async () => {
  await open(getSetupLink());
  const values = {
    "Site name": "Vera Lane",
    Username: "vera",
    "Email address": "vera@example.com",
  };
  for (const [label, text] of Object.entries(values)) await field(label).fill(text);
  await field("Password").fill("seven quiet lanterns");
  const allow = await blockCookies(page);
  await createButton().click();
  await page.getByText(COOKIES_BLOCKED).waitFor();
  await allow();
  await createButton().click();
  await page.waitForURL(/\/admin\/welcome/);
});

describe("a forgotten password", () => {
  afterAll(closePages);

  test("the login sends a link that sets a new password once", async () => {
    const { site, server } = await startMailSite({ hasAddress: true });
    const { url } = site;
    const page = await newPage({ width: 390 });
    recordToasts(page);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await page.goto(`${url}/admin/login`);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    await button("Send reset link").click();
    await page.locator(".field-error").getByText("This can't be empty.").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Username or email").fill(OWNER.email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
    await waitForValue(() => server.received.length, 1);
    const [link] = /http:\S+\/admin\/password#token=\S+/.exec(server.received[0]!.text!)!;
    await page.goto(link);
    await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
    await page.getByText(`For ${OWNER.username}.`).waitFor();
    await page.getByLabel("New password").fill("short");
    await button("Save password").click();
    await page.locator(".field-error").getByText("at least 12").waitFor();
    await expectAccessible(page);
    await page.getByLabel("New password").fill("seven quiet lanterns");
    await button("Save password").click();
    await waitForToast(page, "Password saved. Log in with your new password.");
    await page.getByLabel("Username or email").fill(OWNER.username);
    await page.getByLabel("Password", { exact: true }).fill("seven quiet lanterns");
    await button("Login").click();
    await page.waitForURL(/\/admin\/(?:dashboard|welcome)/);
    await page.goto(link);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
    // The refusals so far: an empty field, no session, a short password, the dead link.
    expect(page.problems(/status of (?:401|404|422)/)).toEqual([]);
    await page.close();
    await Promise.all([site.stop(), server.stop()]);
  });
});
