/** Logging in and the frame of the dashboard (specification, section 2.8). */
import { describe, expect, test } from "bun:test";
import { blockCookies, COOKIES_BLOCKED } from "../../../support/blockCookies.ts";
import { newPage, type TestPage } from "../../../support/browser.ts";
import { openLoggedInPage, openDashboard, readTabNames } from "../../../support/dashboard.ts";
import { OWNER } from "../../../support/site.ts";
import { dropRequests, holdRequests } from "../../../support/network.ts";
import { isFocused } from "../../../support/pageState.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { recordToasts, waitForToast } from "../../../support/toasts.ts";
import { waitForValue, waitUntilStable } from "../../../support/waits.ts";

/** The current user is requested before there is a session. */
const NO_SESSION_YET = /401 \(Unauthorized\)/;

const site = setUpEmptySite();
let page: TestPage;

const button = (name: string) => page.getByRole("button", { name, exact: true });
const username = () => page.getByLabel("Username or email");
const password = () => page.getByLabel("Password", { exact: true });
const tab = (name: string) => page.getByRole("tab", { name }).first();

async function openLogin(path = "/admin/login"): Promise<void> {
  page = await newPage();
  recordToasts(page);
  await page.goto(site.url + path);
  await username().waitFor();
}

async function submitLogin(name: string, secret: string): Promise<void> {
  await username().fill(name);
  await password().fill(secret);
  await button("Login").click();
}

describe("before the dashboard's code is loaded", () => {
  const findRequest = (name: string) =>
    page.evaluate(
      (name) => performance.getEntriesByType("resource").find((each) => each.name.includes(name))!,
      name,
    ) as Promise<PerformanceResourceTiming>;

  test("the login page paints its outline before the code is requested, and no request is refused", async () => {
    page = await newPage();
    const refused: string[] = [];
    page.on("response", (response) => response.ok() || refused.push(response.url()));
    await page.visit(`${site.url}/admin/login`);
    await username().waitFor();
    await waitUntilStable(page);
    const painted = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]!.startTime,
    );
    expect((await findRequest("/entry-owner")).startTime).toBeGreaterThan(painted);
    expect(refused).toEqual([]);
    expect(await findRequest("/api/auth/me")).toBeUndefined();
  });

  test("the login page redirects a logged-in owner to the dashboard, which shows Loading... during the check", async () => {
    page = await openLoggedInPage(site);
    await page.goto(`${site.url}/admin`);
    await page.waitForURL(/\/admin\/dashboard$/);
    const release = await holdRequests(page, "**/api/auth/me");
    await page.reload();
    await page.getByText("Loading...", { exact: true }).waitFor();
    release();
    await tab("Hero").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    const paths: string[] = [];
    page.on("request", (request) => paths.push(new URL(request.url()).pathname));
    await page.visit(`${site.url}/admin/dashboard`);
    await page.getByLabel("Main Title").waitFor();
    for (const path of ["/api/auth/me", "/api/welcome", "/api/hero", "/api/styles"]) {
      expect((await findRequest(path)).initiatorType).toBe("link");
      // The dashboard's code uses the preloaded response.
      expect(paths.filter((each) => each === path)).toEqual([path]);
    }
    expect(page.problems()).toEqual([]);
    await button("Logout").click();
    await page.waitForURL(/\/admin\/login$/);
    expect(await page.evaluate(() => localStorage.getItem("limelight.inside"))).toBeNull();
  });
});

describe("Admin login", () => {
  test("/admin and /Admin/Login open the login page, which reports failures and leads to /admin/dashboard", async () => {
    await openLogin("/admin");
    await page.goto(`${site.url}/Admin/Login`);
    await username().fill(OWNER.username);
    await button("Login").click();
    await waitForToast(page, "Please fill in all fields");
    await submitLogin(OWNER.username, "not the password at all");
    await waitForToast(page, "Error: The username or password is wrong.");
    await dropRequests(page, "**/api/auth/login");
    await submitLogin(OWNER.username, OWNER.password);
    await waitForToast(page, "Login failed");
    expect(await password().getAttribute("type")).toBe("password");
    await button("Show password").click();
    expect(await password().getAttribute("type")).toBe("text");
    await page.unrouteAll();
    page.clearProblems();
    const release = await holdRequests(page, "**/api/auth/login");
    await submitLogin(OWNER.username, OWNER.password);
    await button("Logging in...").waitFor();
    expect(await username().isDisabled()).toBe(true);
    expect(await password().isDisabled()).toBe(true);
    release();
    await page.waitForURL(/\/admin\/dashboard$/);
    await waitForToast(page, "Success: Logged in successfully");
    expect(page.problems(NO_SESSION_YET)).toEqual([]);
  });

  test("a login in a browser that blocks cookies fails with a message about the cookies", async () => {
    await openLogin();
    await blockCookies(page);
    await submitLogin(OWNER.username, OWNER.password);
    await waitForToast(page, `Error: ${COOKIES_BLOCKED}`);
  });

  test("a login works with input that a password manager fills in without events, even before the page's first response", async () => {
    page = await newPage();
    const release = await holdRequests(page, "**/api/auth/passkey-login");
    await page.goto(`${site.url}/admin/login`);
    await username().waitFor();
    await page.evaluate(
      ({ name, secret }) => {
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!;
        const [first, second] = document.querySelectorAll("form input");
        set!.call(first, name);
        set!.call(second, secret);
      },
      { name: OWNER.username, secret: OWNER.password },
    );
    const answered = page.waitForResponse("**/api/auth/passkey-login");
    release();
    await answered;
    await waitUntilStable(page);
    await button("Login").click();
    await page.waitForURL(/\/admin\/dashboard$/);
    expect(page.problems(NO_SESSION_YET)).toEqual([]);
  });
});

describe("Admin dashboard", () => {
  test("the header shows the username and Logout, above three info cards and the specification's tabs", async () => {
    ({ page } = await openDashboard(site, ""));
    const header = page.getByRole("banner");
    expect(await header.getByRole("heading", { name: "Dashboard" }).isVisible()).toBe(true);
    expect(await header.innerText()).toContain(OWNER.username);
    expect(await header.locator(".badge").innerText()).toBe("Admin");
    expect(await button("Logout").isVisible()).toBe(true);
    const cards = (await page.locator(".info").allInnerTexts()).map((words) =>
      words.split(/\s*\n\s*/),
    );
    expect(cards).toEqual([
      ["Active User", OWNER.username, OWNER.email],
      ["Role", "Admin", "Administrative access"],
      ["Status", "Active", "System operational: your site is online"],
    ]);
    const list = page.getByRole("tablist").first();
    const names = await list.getByRole("tab").locator("> span:first-of-type").allInnerTexts();
    expect(names).toEqual(await readTabNames());
    expect(await tab("Hero").getAttribute("aria-selected")).toBe("true");
    // Arrow keys move between the tabs, the URL names the open tab, and Back works.
    await tab("Hero").focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForURL(/tab=about$/);
    await waitForValue(() => isFocused(tab("About")), true);
    await page.keyboard.press("End");
    await page.waitForURL(/tab=files$/);
    await page.goBack();
    await page.getByRole("tab", { name: "About", selected: true }).waitFor();
  });

  test("the site settings find a time zone by its city, and Logout leads to the login page", async () => {
    ({ page } = await openDashboard(site, "email"));
    await button("Account").click();
    await page.getByRole("link", { name: "Site settings" }).click();
    const search = page.getByLabel("Time zone, search by city");
    const zone = page.getByRole("listbox", { name: "Time zone" });
    // Chromium lists Kyiv as Europe/Kiev.
    await search.fill("kyiv");
    await zone.getByRole("option", { name: "Kyiv (Europe)" }).waitFor({ state: "attached" });
    await search.fill("são pa");
    await zone.selectOption("America/Sao_Paulo");
    await search.fill("");
    const zoneFormat = new Intl.DateTimeFormat("en-GB", {
      hour: "2-digit",
      minute: "2-digit",
      timeZone: "America/Sao_Paulo",
    });
    const output = page.locator(".time-zone output");
    await waitForValue(
      async () =>
        (await output.innerText()) === `Current time there: ${zoneFormat.format(Date.now())}`,
      true,
    );
    await page.getByRole("main").getByRole("button", { name: "Save" }).click();
    await waitForToast(page, "Site saved successfully");
    expect((await site.asOwner("GET", "/api/site")).timeZone).toBe("America/Sao_Paulo");
    await site.asOwner("POST", "/api/site", { timeZone: "" });
    await button("Logout").click();
    await page.waitForURL(/\/admin\/login$/);
    await waitForToast(page, "Logged out: You have been logged out successfully");
    await page.goto(`${site.url}/admin/dashboard`);
    await page.waitForURL(/\/admin\/login$/);
  });

  test("an account screen has a URL of its own, and leads back to the previous tab", async () => {
    const other = await openLoggedInPage(site);
    ({ page } = await openDashboard(site, "press"));
    await button("Account").click();
    await page.getByRole("link", { name: "Profile and password" }).click();
    await page.getByLabel("New password").waitFor();
    expect(new URL(page.url()).search).toBe("?tab=press&account=password");
    expect(await page.getByRole("tab", { selected: true }).count()).toBe(0);
    await page.reload();
    await page.getByRole("link", { name: "Security" }).click();
    await page.getByText("This device").waitFor();
    await button("Log out all other devices").click();
    await waitForToast(page, "All other devices logged out");
    await other.goto(`${site.url}/admin/dashboard`);
    await other.waitForURL(/\/admin\/login$/);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("link", { name: "Back to the dashboard" }).click();
    await page.getByRole("tab", { name: "Press", selected: true }).waitFor();
  });
});
