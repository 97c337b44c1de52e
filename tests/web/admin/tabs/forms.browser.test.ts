/** The Forms subtab of the dashboard (specification, section 2.18). */
import { afterEach, describe, expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { makeForm, noForms, submit } from "../../../support/enquiryForm.ts";
import { drop } from "../../../support/line.ts";
import { focusedName } from "../../../support/pageState.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, dialog, card } = dashboard;
afterEach(async () => {
  await noForms(site);
});

const heading = (name: string) =>
  dashboard.page.getByRole("heading", { name, exact: true, level: 3 });
const focused = () => focusedName(dashboard.page);

async function openForms(): Promise<void> {
  await dashboard.open("forms");
}

describe("Forms", () => {
  test("cards show title, an Active or Inactive badge, subtitle and created date, with edit-to-builder and delete", async () => {
    const { formId } = await makeForm(site, "Work with me");
    await site.asOwner("PUT", `/api/forms/${formId}`, { subtitle: "Two minutes" });
    await openForms();
    const today = new Date().toLocaleDateString("en-US", {
      month: "short",
      day: "numeric",
      year: "numeric",
    });
    for (const words of ["Active", "Two minutes", `Created ${today}`])
      await card("Work with me").getByText(words, { exact: true }).waitFor();
    expect(await button("Delete Work with me").count()).toBe(1);
    await button("Edit Work with me").click();
    await heading("Form Settings").waitFor();
    expect(dashboard.page.url()).toContain("sub=builder");
  });

  test("an empty form is named Form N, titled New Form, with subtitle Enter your details below, and is active", async () => {
    await openForms();
    await dashboard.page.getByText("No forms yet").waitFor();
    await button("Start empty").click();
    await dashboard.toast("Form created successfully");
    await heading("Form Settings").waitFor();
    await dashboard.page.getByRole("tab", { name: "Forms", exact: true }).last().click();
    await button("New Form").click();
    await button("Start empty").click();
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

  test("without the server's words a failure reads Failed to create form", async () => {
    await openForms();
    await drop(dashboard.page, "**/api/forms");
    await button("Start empty").click();
    await dashboard.toast("Failed to create form");
  });

  test("a form's isActive is toggled with its badge", async () => {
    const { formId } = await makeForm(site, "Work with me");
    await openForms();
    await button("Active: Work with me").click();
    await button("Inactive: Work with me").waitFor();
    expect(dashboard.lastWrite("PUT").body).toEqual({
      title: "Work with me",
      subtitle: "",
      description: "",
      path: null,
      isActive: false,
      thankYouMessage: "",
      redirectUrl: null,
    });
    const forms = await site.asOwner("GET", "/api/forms");
    expect(forms).toMatchObject([{ id: formId, isActive: false, name: "Inner" }]);
    await dashboard.page.getByText("No form is active").waitFor();
  });

  test("before a form is deleted the dialog says how many submissions go with it, and Keep form has the focus", async () => {
    const { formId, ids } = await makeForm(site, "Work with me", [["text", "Name"]]);
    await submit(site, formId, { [ids[0]!]: "Ann" });
    await submit(site, formId, { [ids[0]!]: "Ben" });
    await openForms();
    await button("Delete Work with me").click();
    await dialog().getByText("Its 2 submissions (2 new) go with it.").waitFor();
    await eventually(focused, "Keep form");
    await dashboard.page.keyboard.press("Enter");
    await dialog().waitFor({ state: "hidden" });
    await eventually(focused, "Delete Work with me");
    await button("Delete Work with me").click();
    await button("Delete form").click();
    await dashboard.page.getByText("No forms yet").waitFor();
    expect(dashboard.writes).toEqual([{ call: `DELETE /api/forms/${formId}`, body: null }]);
    await dashboard.page.locator(".rail-count").waitFor({ state: "detached" });
  });
});
