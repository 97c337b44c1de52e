/** A visitor whose network fails stays on the site. */
import { describe, expect, test } from "bun:test";
import { newPage, openPublicPage } from "../../support/browser.ts";
import { waitForFailedCheck } from "../../support/network.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { hydrateForm } from "../../support/hydrateForm.ts";

const site = setUpSampleSite();

describe("while offline", () => {
  test.each([
    ["/", 390],
    ["/coaching", 1366],
  ])("a click on a link of %s shows a message at %d px", async (path, width) => {
    const page = await openPublicPage(site, path, { width });
    if (path === "/coaching") await hydrateForm(page);
    const policy = page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" });
    await page.context().setOffline(true);
    await policy.click();
    const alert = page.getByRole("alert");
    await alert.getByRole("button", { name: "Close" }).click();
    await alert.waitFor({ state: "detached" });
    await policy.click();
    await alert.getByText("Couldn't load this page").waitFor();
    const check = waitForFailedCheck(page);
    await alert.getByRole("button", { name: "Retry" }).click();
    await check;
    expect(page.url()).toBe(site.url + path);
    await page.context().setOffline(false);
    await alert.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Privacy Policy", level: 1 }).waitFor();
  });

  test("a click on the form before its code has loaded keeps the input, and Retry waits for the network", async () => {
    const page = await newPage({ width: 390 });
    // With data saving nothing is prefetched, however slow this machine is.
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
    );
    await page.visit(`${site.url}/coaching`);
    const name = page.locator("#enquiry input.answer").first();
    await page.context().setOffline(true);
    await name.fill("Patient Ann");
    const cut = waitForFailedCheck(page);
    await page.locator(".enquiry-forward").click();
    await cut;
    const alert = page.getByRole("alert");
    await alert.getByText("Couldn't send this form").waitFor();
    const check = waitForFailedCheck(page);
    await alert.getByRole("button", { name: "Retry" }).click();
    await check;
    expect(await name.inputValue()).toBe("Patient Ann");
    await page.context().setOffline(false);
    await alert.getByRole("button", { name: "Retry" }).click();
    // The script sends the step if it has loaded by now, else a post does: the press takes effect either way.
    await page.getByText("Step 2 of").or(page.locator(".question-error")).first().waitFor();
  });
});
