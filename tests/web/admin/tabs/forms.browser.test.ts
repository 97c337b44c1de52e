/** The Forms subtab of the dashboard, and a form's settings (specification, sections 2.18, 3.11 and 4.17). */
import { afterEach, describe, expect, test } from "bun:test";
import { setUpDashboard, createFinders, openPageAs } from "../../../support/dashboard.ts";
import { makeForm, deleteForms, submitEnquiry } from "../../../support/enquiryForm.ts";
import { readFocusedName } from "../../../support/pageState.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button, field, dialog, card } = dashboard;
afterEach(() => deleteForms(site));

const heading = (name: string) =>
  dashboard.page.getByRole("heading", { name, exact: true, level: 3 });
const readFocused = () => readFocusedName(dashboard.page);

async function openForms(): Promise<void> {
  await dashboard.open("forms");
}

describe("Forms", () => {
  test("a form's card shows its title, subtitle and date, and a badge that turns the form on or off", async () => {
    const { formId } = await makeForm(site, "Work with me");
    await site.asOwner("PUT", `/api/forms/${formId}`, { subtitle: "Two minutes", path: "book" });
    await openForms();
    const today = new Date().toLocaleDateString("en-US", {
      month: "short",
      day: "numeric",
      year: "numeric",
    });
    for (const words of ["Active", "Two minutes", `Created ${today}`, "/book"])
      await card("Work with me").getByText(words, { exact: true }).waitFor();
    expect(await button("Delete Work with me").count()).toBe(1);
    await dashboard.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await button("Copy /book").click();
    await button("Copied").waitFor();
    const copied = await dashboard.page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`${site.url}/book`);
    await button("Active: Work with me").click();
    await button("Inactive: Work with me").waitFor();
    expect(dashboard.getLastWrite("PUT").body).toEqual({
      title: "Work with me",
      subtitle: "Two minutes",
      description: "",
      path: "book",
      isActive: false,
      thankYouMessage: "",
      redirectUrl: null,
    });
    const forms = await site.asOwner("GET", "/api/forms");
    expect(forms).toMatchObject([{ id: formId, isActive: false, name: "Inner" }]);
    await dashboard.waitForText("No form is active");
    await button("Edit Work with me").click();
    await heading("Form Settings").waitFor();
    expect(dashboard.page.url()).toContain("sub=builder");
  });

  test("a new empty form is active, named Form N, and titled New Form", async () => {
    await openForms();
    await dashboard.waitForText("No forms yet");
    await button("Start blank").click();
    await dashboard.waitForToast("Form created successfully");
    await heading("Form Settings").waitFor();
    await dashboard.page.getByRole("tab", { name: "Forms", exact: true }).last().click();
    await button("New Form").click();
    await button("Start blank").click();
    await heading("Form Settings").waitFor();
    expect(dashboard.writes).toEqual(
      ["Form 1", "Form 2"].map((name) => ({
        call: "POST /api/forms",
        body: {
          name,
          title: "New Form",
          subtitle: "Enter your details below",
          isActive: true,
        },
      })),
    );
  });

  test("the dialog for deleting a form says how many submissions will be deleted too, and Cancel has the focus", async () => {
    const { formId, ids } = await makeForm(site, "Work with me", [["text", "Name"]]);
    await submitEnquiry(site, formId, { [ids[0]!]: "Ann" });
    await submitEnquiry(site, formId, { [ids[0]!]: "Ben" });
    await openForms();
    await button("Delete Work with me").click();
    await dialog().getByText("Its 2 submissions (2 new) will be deleted too.").waitFor();
    await waitForValue(readFocused, "Cancel");
    await dashboard.page.keyboard.press("Enter");
    await dialog().waitFor({ state: "hidden" });
    await waitForValue(readFocused, "Delete Work with me");
    await button("Delete Work with me").click();
    await button("Delete form").click();
    await dashboard.waitForText("No forms yet");
    expect(dashboard.writes).toEqual([{ call: `DELETE /api/forms/${formId}`, body: null }]);
    await dashboard.page.locator(".rail-count").waitFor({ state: "detached" });
  });
});

const LABEL = "Delete closed submissions";
const HINT =
  "Counted from the day a submission was closed, or from its last note, reply or call. Deleted submissions stay in the trash for 30 days. Submissions with a reminder are kept.";

test("a form's settings offer four times for deleting closed enquiries, and refuse a URL that is taken", async () => {
  await makeForm(site, "First");
  const { formId } = await makeForm(site, "Book a show");
  const other = await makeForm(site, "Brands");
  await site.asOwner("PUT", `/api/forms/${other.formId}`, { path: "brands" });
  await site.asOwner("POST", "/api/extras", { on: ["packages"] });
  await dashboard.open("forms", { sub: "builder", form: formId });
  const choice = field(LABEL);
  await choice.waitFor();
  expect(await choice.locator("option").allTextContents()).toEqual([
    "Never",
    "After 6 months",
    "After 12 months",
    "After 24 months",
  ]);
  expect(await choice.inputValue()).toBe("never");
  await dashboard.waitForText(HINT);
  await choice.selectOption("After 12 months");
  await button("Save Form Settings").click();
  await dashboard.waitForToast("Form updated successfully");
  expect(dashboard.getLastWrite("PUT").body).toMatchObject({ deleteAfter: "12" });
  await dashboard.page.reload();
  await choice.waitFor();
  expect(await choice.inputValue()).toBe("12");
  const address = field("Page URL");
  for (const [typed, words] of [
    ["/Book", "Enter a page URL such as book-a-show: lowercase letters, digits and hyphens."],
    ["admin", "This page URL is reserved. Choose another one."],
    ["brands", 'The form "Brands" already uses this page URL.'],
  ] as const) {
    await address.fill(typed);
    await button("Save Form Settings").click();
    await dashboard.page.getByText(words).first().waitFor();
  }
  await address.fill("book");
  await button("Save Form Settings").click();
  await dashboard.waitForToast("Form updated successfully");
  const view = dashboard.page.getByRole("link", { name: "View form" });
  expect(await view.getAttribute("href")).toBe("/book");
  for (const tab of ["hero", "packages"]) {
    await dashboard.goTo(tab);
    if (tab === "packages") await button("Add Package").last().click();
    await field("Button Link").focus();
    await button("This form: Book a show").click();
    expect(await field("Button Link").inputValue()).toBe("/book");
  }
});

test("an editor doesn't see when closed enquiries are deleted, and doesn't change it by saving other settings", async () => {
  const { formId } = await makeForm(site, "Book a show");
  await site.asOwner("PUT", `/api/forms/${formId}`, { deleteAfter: "6" });
  const editor = await site.logInAs("editor");
  const page = await openPageAs(editor);
  const editors = createFinders(() => page);
  await page.goto(`${site.url}/admin/dashboard?tab=forms&sub=builder&form=${formId}`);
  await editors.field("Page URL").fill("book");
  expect(await editors.field(LABEL).count()).toBe(0);
  await editors.button("Save Form Settings").click();
  await page.getByText("Form updated successfully").first().waitFor();
  const [form] = await site.asOwner("GET", "/api/forms");
  expect(form).toMatchObject({ path: "book", deleteAfter: "6" });
});
