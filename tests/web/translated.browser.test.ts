/** Pages that a browser translates while they are used (https://github.com/facebook/react/issues/11538). */
import { expect, test } from "bun:test";
import { openDashboard, readTabNames } from "../support/dashboard.ts";
import { EVERY_KIND_STEPS, toAnswersById, replaceForms } from "../support/enquiryForm.ts";
import { openEnquiry } from "../support/enquiryVisit.ts";
import { setUpSampleSite } from "../support/browserSite.ts";
import { translatePage } from "../support/translate.ts";
import { waitForValue } from "../support/waits.ts";

const site = setUpSampleSite();

test("every tab of a dashboard translated by the browser opens, and the owner's text isn't translated", async () => {
  const dashboard = await openDashboard(site, "hero");
  const { page } = dashboard;
  await translatePage(page);
  await dashboard.field("Subtitle").fill("Vale");
  for (const name of await readTabNames()) {
    await page.getByRole("tab", { name }).first().click(); // oxlint-disable-line no-await-in-loop
    const panel = page.getByRole("tabpanel").first();
    await waitForValue(async () => (await panel.innerText()).length > 20, true); // oxlint-disable-line no-await-in-loop
  }
  await page.getByRole("tab", { name: "Statistics" }).click();
  await dashboard.button("Add New").click();
  await dashboard.field("Value").fill("99");
  await dashboard.field("Label").fill("Encores");
  await dashboard.button("Save").click();
  await waitForValue(
    async () => (await site.asOwner<any[]>("GET", "/api/statistics")).at(-1).label,
    "Encores",
  );
  await page.getByRole("tab", { name: "About" }).click();
  const text = page.locator("[contenteditable=true]").first();
  await text.waitFor();
  expect(await text.locator("font").count()).toBe(0);
  expect(page.problems()).toEqual([]);
});

test("an enquiry form translated by the browser can be sent, and sends the owner's options untranslated", async () => {
  const form = await replaceForms(site, EVERY_KIND_STEPS);
  const visit = await openEnquiry(site);
  await translatePage(visit.page);
  await visit.goToLastStep();
  const heading = visit.page.locator("[data-heading]");
  await waitForValue(() => heading.innerText(), EVERY_KIND_STEPS.at(-1)!.title);
  const { data } = await visit.submit();
  await visit.thanks().waitFor();
  expect(data).toMatchObject(toAnswersById(form, { Goal: "Sing", Country: "United Kingdom" }));
  expect(visit.page.problems()).toEqual([]);
});
