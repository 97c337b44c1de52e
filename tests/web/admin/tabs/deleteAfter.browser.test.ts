/** After what time closed enquiries are deleted, among a form's settings (specification, sections 2.18 and 4.17). */
import { afterEach, expect, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { deleteClosed } from "../../../../src/server/visitors/closedEnquiries.ts";
import { newPage } from "../../../support/browser.ts";
import { dashboardForAll, finders } from "../../../support/dashboard.ts";
import { makeForm, noForms } from "../../../support/enquiryForm.ts";
import { expectSoundAtWidths } from "../../../support/expectSound.ts";
import { siteInBrowser, UNLIMITED } from "../../../support/siteInBrowser.ts";
import { startSite } from "../../../support/startSite.ts";
import { storedSubmission } from "../../../server/content/storedSubmission.ts";

const site = siteInBrowser(() => startSite({ env: UNLIMITED }));
const dashboard = dashboardForAll(site);
const { button, field } = dashboard;
afterEach(() => noForms(site));

const LABEL = "Delete closed enquiries";
const HINT =
  "Counted from closing one, or from its last note, reply or call. It then stays in the bin for 30 days. One with a reminder is kept.";

test.each([390, 1366])(
  "an owner chooses it from four, with what it counts from below, at %d px",
  async (width) => {
    const { formId } = await makeForm(site, "Book a show");
    await dashboard.open("forms", { sub: "builder", form: formId, width });
    const choice = field(LABEL);
    await choice.waitFor();
    expect(await choice.locator("option").allTextContents()).toEqual([
      "Never",
      "After 6 months",
      "After 12 months",
      "After 24 months",
    ]);
    expect(await choice.inputValue()).toBe("never");
    await dashboard.page.getByText(HINT).waitFor();
    await choice.selectOption("After 12 months");
    await choice.scrollIntoViewIfNeeded();
    if (process.env["SHOTS"])
      await dashboard.page.screenshot({
        path: `${process.env["SHOTS"]}/delete-after-${width}.png`,
        fullPage: width > 600,
      });
    await button("Save Form Settings").click();
    await dashboard.toast("Form updated successfully");
    expect(dashboard.lastWrite("PUT").body).toMatchObject({ deleteAfter: "12" });
    await dashboard.page.reload();
    await choice.waitFor();
    expect(await choice.inputValue()).toBe("12");
    await expectSoundAtWidths(dashboard.page);
  },
);

test("an editor doesn't see it, and saves the other settings without a word of it", async () => {
  const { formId } = await makeForm(site, "Book a show");
  await site.asOwner("PUT", `/api/forms/${formId}`, { deleteAfter: "6" });
  const editor = await site.loginAs("editor");
  const page = await newPage();
  const cookies = editor.cookies().split("; ");
  await page.context().addCookies(
    cookies.map((each) => {
      const [name = "", value = ""] = each.split("=");
      return { name, value, url: site.url };
    }),
  );
  const editors = finders(() => page);
  await page.goto(`${site.url}/admin/dashboard?tab=forms&sub=builder&form=${formId}`);
  await editors.field("Its own address").fill("book");
  expect(await editors.field(LABEL).count()).toBe(0);
  await editors.button("Save Form Settings").click();
  await page.getByText("Form updated successfully").first().waitFor();
  const [form] = await site.asOwner("GET", "/api/forms");
  expect(form).toMatchObject({ path: "book", deleteAfter: "6" });
});

test("What happened says how many of which form went, and the bin has them with Put back", async () => {
  const { formId } = await makeForm(site, "Book a show", [["text", "Your name"]]);
  await dashboard.open("forms", { sub: "submissions" });
  const name = { id: "name", label: "Your name", type: "text", answer: "Ann Example" };
  for (let at = 0; at < 3; at++)
    await site.store.of(entities.formSubmissions).insert({
      ...storedSubmission(formId),
      stage: "closed",
      createdAt: "2024-01-01T10:00:00.000Z",
      questions: [name],
    });
  await site.asOwner("PUT", `/api/forms/${formId}`, { deleteAfter: "6" });
  const { store, bin, audit } = site;
  await deleteClosed({ store, bin, audit, clock: Date.now }, async () => true);
  const { page } = dashboard;
  await page.goto(`${site.url}/admin/dashboard?account=happened`);
  await page.getByText("deleted 3 closed enquiries of “Book a show”").waitFor();
  if (process.env["SHOTS"])
    await page.screenshot({ path: `${process.env["SHOTS"]}/what-happened.png` });
  await page.goto(`${site.url}/admin/dashboard?account=bin`);
  await page
    .getByRole("button", { name: /^Put back/ })
    .first()
    .click();
  await page.goto(`${site.url}/admin/dashboard?tab=forms&sub=submissions`);
  await page.getByText("Ann Example").first().waitFor();
  expect(await store.of(entities.formSubmissions).count({ stage: "closed" })).toBe(1);
});
