/**
 * The account's security in a real browser, with passkeys from Chromium's virtual authenticator (specification,
 * section 6.8).
 */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  computeTotpCode,
  decodeTotpSecret,
  computeTimeStep,
} from "../../../../src/server/accounts/totp.ts";
import { blockCookies, COOKIES_BLOCKED } from "../../../support/blockCookies.ts";
import { closePages, type TestPage } from "../../../support/browser.ts";
import { createFinders, openLoggedInPage } from "../../../support/dashboard.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { respondAsProxy } from "../../../support/network.ts";
import { isFocused } from "../../../support/pageState.ts";
import { Client } from "../../../support/client.ts";
import { findFreePort } from "../../../support/ports.ts";
import { startProgram } from "../../../support/program.ts";
import { OWNER } from "../../../support/site.ts";
import { type Site, startSite } from "../../../support/startSite.ts";
import { waitForToast } from "../../../support/toasts.ts";
import { waitForValue } from "../../../support/waits.ts";

let site: Pick<Site, "stop">;
let advance: Site["advance"];
let page: TestPage;
/** The site's URL with the name localhost, since passkeys are bound to a name. */
let url = "";
const { button, dialog, card } = createFinders(() => page);

beforeEach(async () => {
  const port = findFreePort();
  url = `http://localhost:${port}`;
  const started = await startSite({ port, env: { SITE_URL: url } });
  site = started;
  ({ advance } = started);
});
afterEach(async () => {
  await closePages();
  await site.stop();
});
afterAll(closePages);

const computeCurrentCode = (secret: string) =>
  computeTotpCode(decodeTotpSecret(secret), computeTimeStep(Date.now()));

async function openSecurity(): Promise<void> {
  page = await openLoggedInPage({ url });
  await openScreen();
}

/** A device with a fingerprint reader and a matching finger. */
async function addVirtualAuthenticator(on: TestPage) {
  const cdp = await on.context().newCDPSession(on);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function addPasskey(name: string): Promise<void> {
  await button("Add a passkey").click();
  await dialog().getByLabel("Name").fill(name);
  await button("Continue").click();
}

/** Opens the screen on a device that already has a passkey. */
async function openWithPasskey() {
  await openSecurity();
  const device = await addVirtualAuthenticator(page);
  await addPasskey("My phone");
  await card("Passkeys").getByText("My phone", { exact: true }).waitFor();
  return device;
}

async function openScreen(): Promise<void> {
  await page.goto(`${url}/admin/dashboard?account=security`);
  await card("Passkeys").waitFor();
}

async function logOut(): Promise<void> {
  await button("Logout").click();
  await page.waitForURL(/\/admin\/login$/);
}

describe("passkeys", () => {
  test("can be added, renamed, used to log in and removed in the built, minified program", async () => {
    const port = String(findFreePort());
    url = `http://localhost:${port}`;
    await site.stop();
    site = await startProgram({ env: { SITE_URL: url, PORT: port } });
    await openWithPasskey();
    await waitForToast(page, "Passkey added. Log in with it next time.");
    await button("Rename My phone").click();
    await dialog().getByLabel("Name").fill("A telephone with averyveryverylongname");
    await button("Rename").last().click();
    await card("Passkeys")
      .getByText(/^A telephone/)
      .waitFor();
    await logOut();
    const allow = await blockCookies(page);
    await button("Log in with a passkey").click();
    await page.getByText(COOKIES_BLOCKED).waitFor();
    await allow();
    await button("Log in with a passkey").click();
    await page.waitForURL(/\/admin\/dashboard/);
    await openScreen();
    await card("Passkeys")
      .getByText(/, used today/)
      .waitFor();
    await page.getByRole("button", { name: /^Remove A telephone/ }).click();
    await button("Remove").last().click();
    await card("Passkeys").getByText("None yet").waitFor();
    await logOut();
    await page.getByLabel("Password", { exact: true }).waitFor();
    expect(await button("Log in with a passkey").count()).toBe(0);
    expect(page.problems()).toEqual([]);
  });

  test("are accepted as the second factor, but not without the device's user check or after their removal", async () => {
    const { cdp, authenticatorId } = await openWithPasskey();
    await addPasskey("My phone again");
    await dialog().getByText("This device already has a passkey for your account.").waitFor();
    await button("Cancel").click();
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await logOut();
    const answered = page.waitForResponse(/passkey-options/);
    await button("Log in with a passkey").click();
    await answered;
    await button("Log in with a passkey").waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin/login");
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    const { recoveryCodes } = await turnOnApp();
    await typePassword();
    await button("Use a passkey").click();
    await page.waitForURL(/\/admin\/dashboard/);
    const owner = new Client(url);
    await owner.post("/api/auth/login", { ...OWNER, code: recoveryCodes[0] });
    const { body } = await owner.get("/api/auth/security");
    await owner.delete(`/api/auth/passkeys/${body.passkeys[0].id}`);
    await logOut();
    await typePassword();
    await button("Use a passkey").click();
    await page.getByText("The passkey wasn't accepted. Try again, or use a code.").waitFor();
  });
});

/** Turns on an authenticator app by calls, which use up the current code. */
async function turnOnApp(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const owner = new Client(url);
  await owner.post("/api/auth/login", OWNER);
  const { body } = await owner.post("/api/auth/authenticator");
  const confirmed = await owner.post("/api/auth/authenticator/confirm", {
    code: computeCurrentCode(body.secret),
  });
  return { secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes };
}

async function typePassword(): Promise<void> {
  await page.getByLabel("Username or email").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.keyboard.press("Enter");
}

describe("the authenticator app", () => {
  test("is turned on with a code, and later logins ask for a code or a recovery code", async () => {
    await openSecurity();
    await button("Set up").click();
    const key = await page.locator(".ui-copied code").textContent();
    const secret = key!.replaceAll(" ", "");
    const styleOf = (element: string, name: string) =>
      page
        .locator(element)
        .evaluate((each, of) => getComputedStyle(each).getPropertyValue(of), name);
    expect(await styleOf(".qr path", "fill")).toBe("rgb(0, 0, 0)");
    expect(await styleOf(".qr", "background-color")).toBe("rgb(255, 255, 255)");
    await expectAccessible(page);
    expect(await button("Turn on").isDisabled()).toBe(true);
    await page.getByLabel("2. Enter the 6-digit code").fill("000000");
    await button("Turn on").click();
    await page.getByText("That code didn't work. Wait for the next one, then try again.").waitFor();
    await page.getByLabel("2. Enter the 6-digit code").fill(computeCurrentCode(secret));
    await page.keyboard.press("Enter");
    await card("Save your recovery codes").waitFor();
    await expectAccessible(page);
    const codes = await page.locator(".recovery-codes code").allTextContents();
    expect(codes).toHaveLength(10);
    const coming = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    const file = await (await coming).path();
    expect((await Bun.file(file).text()).trim().split("\n")).toEqual(codes);
    expect(await button("Done").isDisabled()).toBe(true);
    await page.getByLabel(/saved them somewhere/).check();
    await button("Done").click();
    await card("Recovery codes").getByText("10 of 10 left").waitFor();
    await logOut();
    await typePassword();
    const input = page.getByLabel("6-digit code", { exact: true });
    await input.waitFor();
    await waitForValue(() => isFocused(input), true);
    await input.fill("000000");
    await page.keyboard.press("Enter");
    await page.getByText("That code didn't work. Wait for the next one, then try again.").waitFor();
    await button("Use a recovery code").click();
    await page.getByLabel("Recovery code").fill(codes[0]!);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/admin\/dashboard/);
    await openScreen();
    await card("Recovery codes").getByText("9 of 10 left").waitFor();
  });

  test("if a proxy's error prevents the check of a code, the login page says Login failed", async () => {
    page = await openLoggedInPage({ url });
    await turnOnApp();
    await page.goto(`${url}/admin/dashboard`);
    await logOut();
    await typePassword();
    const input = page.getByLabel("6-digit code", { exact: true });
    await input.fill("000000");
    await respondAsProxy(page, "**/api/auth/login", 502);
    await page.keyboard.press("Enter");
    expect(await page.locator(".field-error").innerText()).toBe("Login failed");
  });

  test("is also required after a session has ended, and can be turned off after a confirmation", async () => {
    page = await openLoggedInPage({ url });
    const { recoveryCodes } = await turnOnApp();
    await page.goto(`${url}/admin/dashboard`);
    await page.getByLabel("Main Title").fill("Tonight");
    // Reads that are still pending would be refused before the save.
    await page.waitUntilSettled();
    advance(9 * 3_600_000);
    await page.getByRole("main").getByRole("button", { name: "Save Hero Content" }).first().click();
    await dialog("Log in again").waitFor();
    await dialog().getByLabel("Password", { exact: true }).fill(OWNER.password);
    await page.keyboard.press("Enter");
    await button("Use a recovery code").click();
    await dialog().getByLabel("Recovery code").fill(recoveryCodes[0]!);
    await page.keyboard.press("Enter");
    await waitForToast(page, "Hero content updated successfully");
    await openScreen();
    await button("Turn off").click();
    await dialog().getByText("recovery codes will stop working").waitFor();
    await button("Turn off").last().click();
    await card("Authenticator app").getByText("Off", { exact: true }).waitFor();
    expect(await card("Recovery codes").count()).toBe(0);
  });
});

describe("logins from elsewhere", () => {
  const FROM = {
    "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Safari/604.1",
  };

  /** Logs in on another device after the page was loaded. */
  async function loggedInElsewhere(): Promise<Client> {
    await openSecurity();
    const other = new Client(url);
    await other.post("/api/auth/login", OWNER, FROM);
    // Events are written after the response.
    const readLogins = async () => (await page.request.get(`${url}/api/auth/logins`)).json();
    await waitForValue(async () => (await readLogins()).length, 1);
    await page.reload();
    return other;
  }

  test("are shown until This was me confirms them, also on a site without SITE_URL", async () => {
    await site.stop();
    const plain = await startSite();
    site = plain;
    ({ url } = plain);
    const phone = await loggedInElsewhere();
    await card("Passkeys")
      .getByText(/Set SITE_URL and restart Limelight/)
      .waitFor();
    expect(await button("Add a passkey").count()).toBe(0);
    const notice = page.locator(".notice");
    await notice.getByText("New login to your account:").waitFor();
    await notice.getByText("Safari on iPhone").waitFor();
    await button("This was me").click();
    await notice.waitFor({ state: "detached" });
    await page.reload();
    await card("Where you're logged in").getByText("Safari on iPhone").waitFor();
    expect(await notice.count()).toBe(0);
    await card("Where you're logged in")
      .getByRole("button", { name: /^Log out Safari on iPhone/ })
      .click();
    await waitForToast(page, "Device logged out");
    expect((await phone.get("/api/auth/me")).status).toBe(401);
  });

  test("are ended with all other sessions by This wasn't me, which then asks for a new password", async () => {
    const thief = await loggedInElsewhere();
    await button("This wasn't me").click();
    await page.getByLabel("New password").waitFor();
    expect((await thief.get("/api/auth/me")).status).toBe(401);
  });

  test("are ended by This wasn't me even if the server can't store that the notice was dismissed", async () => {
    const thief = await loggedInElsewhere();
    await respondAsProxy(page, "**/api/auth/logins/seen", 502);
    await button("This wasn't me").click();
    expect(await page.locator(".ui-toast-text").innerText()).toContain(
      "All other devices are logged out. Now choose a new password.",
    );
    await page.getByLabel("New password").waitFor();
    expect((await thief.get("/api/auth/me")).status).toBe(401);
    expect(await button("This was me").count()).toBe(1);
  });
});
