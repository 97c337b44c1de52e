/** New forms and their questions (specification, section 2.18). */
import { afterEach, expect, test } from "bun:test";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { makeForm, deleteForms } from "../../../support/enquiryForm.ts";
import { dropRequests, holdRequests } from "../../../support/network.ts";
import { isFocused } from "../../../support/pageState.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";
import { FORM_TEMPLATES } from "../../../../src/web/admin/tabs/forms/templates.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button, field, card } = dashboard;
afterEach(() => deleteForms(site));

const WARNING = "This form is active but has no questions yet.";
const formsSubtab = () =>
  dashboard.page.getByRole("tab", { name: "Forms", exact: true }).last().click();

test("the editor of a new empty form warns that visitors see the form, and deactivates it with one click", async () => {
  await dashboard.open("forms");
  await button("Start blank").click();
  await dashboard.waitForText(WARNING);
  await formsSubtab();
  await dashboard.waitForText(WARNING);
  await button("Deactivate").click();
  await button("Inactive: New Form").waitFor();
  await dashboard.page.getByText(WARNING).waitFor({ state: "detached" });
  expect(await site.asOwner("GET", "/api/forms")).toMatchObject([{ isActive: false }]);
  // The first question creates its step.
  await button("Edit New Form").click();
  await field("Add a question").fill("Your town");
  await field("Add a question").press("Enter");
  await button("Edit Your town").waitFor();
  const [form] = await site.asOwner<any[]>("GET", "/api/forms");
  expect(await site.asOwner("GET", `/api/form-steps/${form.id}`)).toMatchObject([
    { title: "Step 1" },
  ]);
  // A form with a question shows no warning, nor does an inactive form.
  await makeForm(site, "Work with me", [["text", "Name"]]);
  await site.asOwner("POST", "/api/forms", { name: "Form 2", title: "Second" });
  await dashboard.open("forms");
  await button("Active: Second").waitFor();
  await button("Active: Work with me").click();
  await dashboard.waitForText(WARNING);
  await button("Inactive: Work with me").click();
  await dashboard.page.getByText(WARNING).waitFor({ state: "detached" });
});

test("the button that creates a form keeps the focus during the request, and the other buttons are disabled", async () => {
  await dashboard.open("forms");
  const release = await holdRequests(dashboard.page, "**/api/forms", "POST");
  const chosen = button("Use template: Coaching enquiry");
  await chosen.click();
  await chosen.and(dashboard.page.locator("[aria-busy=true]")).waitFor();
  expect(await isFocused(chosen)).toBe(true);
  expect(await button("Start blank").isDisabled()).toBe(true);
  release();
  await card("Fields").waitFor();
});

test("a form made from a template is inactive until it has every question, also if its creation fails halfway", async () => {
  await dashboard.open("forms");
  const tried = process.env["COMBINATIONS"] ? FORM_TEMPLATES : FORM_TEMPLATES.slice(0, 1);
  for (const [at, { name, title, steps }] of tried.entries()) {
    const seen: number[] = [];
    const restore = await countDuring(async () => {
      // The number of forms that a visitor would get at this time, without an incomplete one.
      seen.push((await site.visitor().get("/api/forms")).body.length);
    });
    if (at > 0) await button("New Form").click();
    await button(`Use template: ${name}`).click();
    await dashboard.waitForToast("Form created successfully");
    await card("Form Settings").waitFor();
    await restore();
    const labels = steps.flatMap(({ questions }) => questions.map(({ label }) => label));
    expect(seen).toEqual(labels.map(() => at));
    expect(await dashboard.page.getByText(WARNING).count()).toBe(0);
    const visitor = site.visitor();
    const form = (await visitor.get("/api/forms")).body.find((each: any) => each.title === title);
    expect(form).toMatchObject({ isActive: true });
    const parts = (await visitor.get(`/api/form-steps/${form.id}`)).body;
    expect(parts.map((step: any) => step.title)).toEqual(steps.map((step) => step.title));
    const fields = await Promise.all(
      parts.map(async (step: any) => (await visitor.get(`/api/form-fields/${step.id}`)).body),
    );
    // The consent is inactive until the owner turns it on.
    const shown = steps
      .flatMap(({ questions }) => questions)
      .filter(({ isActive = true }) => isActive);
    expect(shown).toHaveLength(labels.length - 1);
    expect(fields.flat().map(({ label }: any) => label)).toEqual(shown.map(({ label }) => label));
    await formsSubtab();
  }
  await dropRequests(dashboard.page, "**/api/form-fields");
  await button("New Form").click();
  await button("Use template: Brand collaboration").click();
  await dashboard.waitForToast("Failed to create form");
  await button("Inactive: WORK TOGETHER").waitFor();
});

/** Calls `note` before each question is added; returns a function that ends this. */
async function countDuring(note: () => Promise<void>): Promise<() => Promise<void>> {
  const { page } = dashboard;
  await page.route("**/api/form-fields", async (route) => {
    await note();
    await route.continue();
  });
  return () => page.unroute("**/api/form-fields");
}

test("a form of eight questions takes at most 20 taps, and the questions' types are guessed", async () => {
  await dashboard.open("forms");
  await dashboard.page.evaluate(() => {
    addEventListener("pointerdown", () => (window.name = String(Number(window.name) + 1)), true);
  });
  await button("Use template: Coaching enquiry").click();
  await card("Fields").waitFor();
  for (const label of ["How did you find me?", "Anything else?"]) {
    await button(label).click();
    await button(`Edit ${label}`).waitFor();
  }
  const [{ id }] = await site.asOwner<any[]>("GET", "/api/forms");
  const readFields = async () => {
    const steps = await site.asOwner<any[]>("GET", `/api/form-steps/${id}`);
    const each = steps.map((step) => site.asOwner<any[]>("GET", `/api/form-fields/${step.id}`));
    return (await Promise.all(each)).flat();
  };
  const fields = await readFields();
  expect(fields.filter(({ isActive }) => isActive)).toHaveLength(8);
  const taps = Number(await dashboard.page.evaluate(() => window.name));
  expect(taps).toBeGreaterThan(0);
  expect(taps).toBeLessThanOrEqual(20);
  const questions = {
    "Your stage name": "text",
    "Your email": "email",
    "Mobile number": "international_phone",
    "How many people will come?": "number",
    "Tell me about the evening": "textarea",
    "Which country?": "country",
  };
  for (const label of Object.keys(questions)) {
    await field("Add a question").fill(label);
    await field("Add a question").press("Enter");
    const isFocused = (input: Element) => input === document.activeElement;
    expect(await field("Add a question").evaluate(isFocused)).toBe(true);
  }
  for (const label of Object.keys(questions)) await button(`Edit ${label}`).waitFor();
  const typed = (await readFields()).filter(({ label }) => label in questions);
  expect(typed.map(({ label, fieldType }) => [label, fieldType])).toEqual(
    Object.entries(questions),
  );
});

test("pasted lines become a question's options, which are counted and checked for duplicates", async () => {
  const { stepId } = await makeForm(site, "Work with me", [
    ["radio", "Times", { options: "Mornings\nEvenings", isRequired: true }],
    ["text", "Your name"],
    ["select", "Town"],
  ]);
  await dashboard.open("forms", { sub: "builder" });
  await button("Edit Town").click();
  await field("Options").fill("York");
  const paste = (text: string) =>
    field("Options").evaluate((area, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      area.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
  await paste("• Hull\r\n2) Leeds\n\n- York");
  expect(await field("Options").inputValue()).toBe("York\nHull\nLeeds\nYork");
  await dashboard.waitForText("4 options");
  await dashboard.waitForText('"York" is listed more than once.');
  await field("Options").fill("");
  await paste("Bath; Wells; Frome");
  await dashboard.waitForText("3 options");
  expect(await dashboard.page.getByText("listed more than once").count()).toBe(0);
  await button("Save field").click();
  await dashboard.waitForToast("Field updated successfully");
  expect(dashboard.getLastWrite("PUT").body.options).toBe("Bath\nWells\nFrome");
  dashboard.writes.length = 0;
  const isPressed = (name: string) => button(name).getAttribute("aria-pressed");
  await waitForValue(() => isPressed("Your name"), "true");
  // The button is disabled for assistive technology, but can still be pressed.
  await button("Your name").dispatchEvent("click");
  await button("Company").click();
  await button("Edit Company").waitFor();
  expect(dashboard.writes.map(({ body }) => body.label)).toEqual(["Company"]);
  await waitForValue(() => isPressed("Company"), "true");
  await button("Duplicate Times").click();
  await dashboard.waitForToast("Times (copy) added");
  const fields = await site.asOwner<any[]>("GET", `/api/form-fields/${stepId}`);
  const { id: _, label: __, fieldOrder: ___, ...same } = fields[0];
  const labels = ["Times", "Times (copy)", "Your name", "Town", "Company"];
  expect(fields.map(({ label }) => label)).toEqual(labels);
  expect(fields[1]).toMatchObject(same);
  await dropRequests(dashboard.page, "**/api/form-fields");
  await field("Add a question").fill("Your town");
  await field("Add a question").press("Enter");
  await dashboard.waitForToast("Failed to create field");
  await waitForValue(() => field("Add a question").inputValue(), "Your town");
});
