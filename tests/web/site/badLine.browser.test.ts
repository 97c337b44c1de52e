/** A visitor whose network has gone stays on the site. */
import { afterEach, describe, expect, test } from "bun:test";
import { closePages, newPage, openPublicPage } from "../../support/browser.ts";
import { drop } from "../../support/line.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { wake } from "../../support/wake.ts";

const site = sampleSite();
afterEach(closePages);

describe.each([390, 1366])("at %d px", (width) => {
  test("a page that can't be fetched says so on the site, and Retry waits for the network", async () => {
    const page = await openPublicPage(site, "/", { width });
    // Its links are the router's once the page has come to life.
    await wake(page);
    await page.context().setOffline(true);
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
    const failed = page.getByRole("heading", { name: "This page couldn't be loaded" });
    await failed.waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await failed.waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Privacy Policy", level: 1 }).waitFor();
  });

  test("a link of a page that does not live yet leads nowhere without a network either", async () => {
    const page = await openPublicPage(site, "/", { width });
    const policy = page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" });
    await page.context().setOffline(true);
    await policy.click();
    const alert = page.getByRole("alert");
    await alert.getByText("This page couldn't be loaded").waitFor();
    await alert.getByRole("button", { name: "Retry" }).click();
    expect(page.url()).toBe(`${site.url}/`);
    await page.context().setOffline(false);
    await alert.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Privacy Policy", level: 1 }).waitFor();
  });

  test.each([
    ["/", "#highlights"],
    ["/coaching", "#transformations"],
  ])("a picture of %s that can't be opened leaves the visitor where they are", async (path, id) => {
    const page = await newPage({ width });
    // Nor has it been fetched ahead, which a page does on a slow line.
    const restore = await drop(page, "**/assets/*.js");
    await page.visit(site.url + path);
    const poster = page.locator(`${id} .poster-opener`).first();
    await poster.scrollIntoViewIfNeeded();
    await page.context().setOffline(true);
    await poster.click();
    const alert = page.getByRole("alert");
    await alert.getByText("The picture couldn't be opened").waitFor();
    await alert.getByRole("button", { name: "Retry" }).click();
    await alert.getByText("Check your connection, then try again.").waitFor();
    expect(page.url()).toBe(site.url + path);
    const before = await page.evaluate(() => scrollY);
    await restore();
    await page.context().setOffline(false);
    // Opened at once, or after the page was loaded anew where the visitor was: by this press or the one before.
    const large = page.getByRole("dialog").getByRole("img");
    const anew = page.locator(".ui-toast").waitFor({ state: "detached" });
    const pressed = alert.getByRole("button", { name: "Retry" }).click();
    await Promise.race([pressed.then(() => large.waitFor()).catch(() => anew), anew]);
    if ((await page.getByRole("dialog").count()) === 0) {
      await page.waitForFunction((before) => scrollY === before, before);
      await poster.click();
    }
    await large.waitFor();
  });

  test("words about a picture that couldn't be opened can be closed", async () => {
    const page = await newPage({ width });
    await drop(page, "**/assets/*.js");
    await page.visit(site.url);
    await page.context().setOffline(true);
    await page.locator("#highlights .poster-opener").first().click();
    await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
  });
});
