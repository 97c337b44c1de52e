/**
 * Notices for the owner, and the refusal of a login over an unencrypted connection (specification, sections 2.8 and
 * 6.3).
 */
import { expect, test } from "bun:test";
import { newPage, type TestPage } from "../../../support/browser.ts";
import { openLoggedInPage } from "../../../support/dashboard.ts";
import { expectAccessibleAtWidths } from "../../../support/expectAccessible.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";

const site = setUpEmptySite();
let page: TestPage;

test("/admin pages at a public URL without HTTPS say that nobody can log in, and have no password field", async () => {
  page = await newPage();
  // The tests' browsers resolve every name that ends in .example to this machine.
  const address = `http://www.limelight.example:${new URL(site.url).port}/admin`;
  for (const path of ["", "/setup", "/join", "/password"]) {
    await page.goto(`${address}${path}#token=${"t".repeat(43)}`);
    await page.getByText("You can't log in here: this connection isn't encrypted").waitFor();
    expect(await page.getByLabel("Password", { exact: true }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Login" }).count()).toBe(0);
    const retries = await page.getByRole("button", { name: "Retry" }).count();
    expect([path, retries]).toEqual([path, path === "" ? 0 : 1]);
  }
});

test("a missing proxy setting is reported at every width, and again at the next load after Dismiss", async () => {
  await site.visitor().post("/api/email-subscriptions", {}, { "x-forwarded-for": "198.51.100.7" });
  page = await openLoggedInPage(site);
  await page.goto(`${site.url}/admin/dashboard`);
  const words = page.getByText("Requests arrive through a proxy at 127.0.0.1");
  await words.waitFor();
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await words.waitFor({ state: "detached" });
  await page.reload();
  await words.waitFor();
  expect(page.problems()).toEqual([]);
});
