/** A visitor whose network has gone stays on the site. */
import { afterEach, describe, test } from "bun:test";
import { closePages, openPublicPage } from "../../support/browser.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";

const site = sampleSite();
afterEach(closePages);

describe.each([390, 1366])("at %d px", (width) => {
  test("a page that can't be fetched says so on the site, and Retry waits for the network", async () => {
    const page = await openPublicPage(site, "/", { width });
    // Its links are the router's once the page has come to life.
    await page.locator("link[data-font]").first().waitFor({ state: "attached" });
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
});
