/** A form's own address in the dashboard (specification, sections 2.18 and 3.11). */
import { afterEach, expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { makeForm, noForms } from "../../../support/enquiryForm.ts";
import { expectSoundAtWidths } from "../../../support/expectSound.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, field } = dashboard;
afterEach(async () => {
  await noForms(site);
});

test("it is typed among the form's settings, and what isn't free is said at the field", async () => {
  await makeForm(site, "First");
  const { formId } = await makeForm(site, "Book a show");
  const other = await makeForm(site, "Brands");
  await site.asOwner("PUT", `/api/forms/${other.formId}`, { path: "brands" });
  await dashboard.open("forms", { sub: "builder", form: formId });
  const address = field("Its own address");
  await address.waitFor();
  for (const [typed, words] of [
    ["/Book", "Enter an address such as book-a-show: small letters, digits and hyphens."],
    ["admin", "This address belongs to the site itself. Choose another one."],
    ["brands", "The form “Brands” has this address already."],
  ] as const) {
    await address.fill(typed);
    await button("Save Form Settings").click();
    await dashboard.page.getByText(words).first().waitFor();
  }
  await address.fill("book");
  await button("Save Form Settings").click();
  await dashboard.toast("Form updated successfully");
  const view = dashboard.page.getByRole("link", { name: "View form" });
  expect(await view.getAttribute("href")).toBe("/book");
});

test("the form's card shows it with Copy, and is sound at every width", async () => {
  const { formId } = await makeForm(site, "Book a show");
  await site.asOwner("PUT", `/api/forms/${formId}`, { path: "book" });
  await dashboard.open("forms");
  await dashboard.page.getByText("/book", { exact: true }).waitFor();
  await dashboard.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button("Copy /book").click();
  await button("Copied").waitFor();
  const copied = await dashboard.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${site.url}/book`);
  await expectSoundAtWidths(dashboard.page);
});

test("a button offers the forms that have one: This form", async () => {
  const { formId } = await makeForm(site, "Book a show");
  await dashboard.open("hero");
  await field("Button Link").focus();
  expect(await button(/^This form/).count()).toBe(0);
  await site.asOwner("PUT", `/api/forms/${formId}`, { path: "book" });
  await dashboard.open("hero");
  await field("Button Link").focus();
  await button("This form: Book a show").click();
  expect(await field("Button Link").inputValue()).toBe("/book");
  await field("Button Text").fill("Book a show");
  if (process.env["SHOTS"])
    await dashboard.page.screenshot({
      path: `${process.env["SHOTS"]}/this-form.png`,
      fullPage: true,
    });
  await expectSoundAtWidths(dashboard.page);
});

test("so does the button of a package", async () => {
  const { formId } = await makeForm(site, "Book a show");
  await site.asOwner("PUT", `/api/forms/${formId}`, { path: "book" });
  await site.asOwner("POST", "/api/extras", { on: ["packages"] });
  await dashboard.open("packages");
  await button("Add Package").last().click();
  await field("Where it leads").focus();
  await button("This form: Book a show").click();
  expect(await field("Where it leads").inputValue()).toBe("/book");
});
