/** The Builder subtab of the dashboard (spec sections 2, 3, 4, 7 and 8). */
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { FIELD_TYPES } from "../../src/schema/questions.ts";
import { axe } from "../support/axe.ts";
import { closeBrowser, WIDTHS } from "../support/browser.ts";
import { sideways } from "../support/dashboard.ts";
import { type Executable, startExecutable } from "../support/executable.ts";
import { makeForm, noForms, openAsOwner, type OwnerPage } from "../support/formsPage.ts";

setDefaultTimeout(60_000);

let site: Executable;
let owner: OwnerPage;
beforeAll(async () => {
  site = await startExecutable({ RATE_LIMIT: "off" });
});
afterEach(async () => {
  await owner.page.context().close();
  await noForms(site);
});
afterAll(async () => {
  await closeBrowser();
  await site.stop();
});

const button = (name: string | RegExp) => owner.page.getByRole("button", { name, exact: true });
const field = (label: string) => owner.page.getByLabel(label, { exact: true });
const card = (title: string) => owner.page.locator(".card", { has: heading(title) });
const heading = (name: string) => owner.page.getByRole("heading", { name, exact: true, level: 3 });
const dialog = () => owner.page.getByRole("dialog");
const focused = () =>
  owner.page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );
const framed = () => owner.page.frameLocator("iframe[title='Desktop preview']");
const lastSent = (call: string) => owner.sent.findLast((each) => each.call.startsWith(call))!;

async function openBuilder(formId: string, width = 1366): Promise<void> {
  owner = await openAsOwner(site, `?tab=forms&sub=builder&form=${formId}`, { width });
  await heading("Form Steps").waitFor();
}

describe("Builder", () => {
  test("the form settings save what is shown, and redirectUrl as it is", async () => {
    const { formId } = await makeForm(site, "Work with me");
    await site.asOwner("PUT", `/api/forms/${formId}`, { redirectUrl: "https://example.com/next" });
    await openBuilder(formId);
    await field("Title").fill("Train with me");
    await field("Subtitle").fill("Two steps");
    await field("Description").fill("I read it all.");
    await field("Thank You Message").fill("Thanks!");
    await field("Active").uncheck();
    await framed().getByRole("heading", { name: "Train with me", includeHidden: true }).waitFor();
    await owner.page.getByText("Not live yet").waitFor();
    await button("Save Form Settings").click();
    await owner.toast("Form updated successfully");
    expect(lastSent("PUT")).toEqual({
      call: `PUT /api/forms/${formId}`,
      body: {
        title: "Train with me",
        subtitle: "Two steps",
        description: "I read it all.",
        isActive: false,
        thankYouMessage: "Thanks!",
        redirectUrl: "https://example.com/next",
      },
    });
    expect(await field("Redirect address").count()).toBe(0);
  });

  test("Add Step adds a step titled Step N with an order equal to the count plus one", async () => {
    const form = await site.asOwner("POST", "/api/forms", { name: "Form 1", title: "New Form" });
    await openBuilder(form.id);
    await owner.page.getByText("No steps yet").waitFor();
    for (const place of [1, 2]) {
      await button("Add Step").click();
      await card("Form Steps").getByText(`Step ${place}`, { exact: true }).waitFor();
      expect(lastSent("POST")).toEqual({
        call: "POST /api/form-steps",
        body: { formId: form.id, title: `Step ${place}`, stepOrder: place, isActive: true },
      });
    }
    await heading("Fields").waitFor();
    await owner.page.getByText("in step 2, Step 2").waitFor();
    await owner.page.getByText("No fields yet").waitFor();
  });

  test("without the server's words a failure reads Failed to create step", async () => {
    const { formId } = await makeForm(site, "Work with me");
    await openBuilder(formId);
    await owner.page.route("**/api/form-steps", (route) => route.abort());
    await button("Add Step").click();
    await owner.toast("Failed to create step");
  });

  test("a step is edited in place: Enter saves, Escape cancels", async () => {
    const { formId, stepId } = await makeForm(site, "Work with me");
    await openBuilder(formId);
    await button("Edit You").click();
    await field("Step title").fill("Never mind");
    await owner.page.keyboard.press("Escape");
    await card("Form Steps").getByText("You", { exact: true }).waitFor();
    expect(owner.sent).toEqual([]);
    expect(await focused()).toBe("Edit You");
    await button("Edit You").click();
    await field("Step title").fill("About you");
    await field("Subtitle").last().fill("Who writes?");
    await framed().getByRole("heading", { name: "About you", includeHidden: true }).waitFor();
    await field("Step title").press("Enter");
    await card("Form Steps").getByText("About you", { exact: true }).waitFor();
    expect(owner.sent).toEqual([
      {
        call: `PUT /api/form-steps/${stepId}`,
        body: { title: "About you", subtitle: "Who writes?", description: "", isActive: true },
      },
    ]);
  });

  test("a step's isActive is toggled with its badge, and the preview leaves it out", async () => {
    const { formId } = await makeForm(site, "Work with me", [["text", "Name"]]);
    await openBuilder(formId);
    await framed().getByText("Step 1 of 1").waitFor({ state: "attached" });
    await button("Active: You").click();
    await button("Inactive: You").waitFor();
    expect(lastSent("PUT").body).toMatchObject({ title: "You", isActive: false });
    await framed().getByText("No active steps found in this form.").waitFor({ state: "attached" });
    await owner.page.getByText("You is inactive").waitFor();
  });

  test("steps and fields are moved by buttons, and all ids are sent in their new order", async () => {
    const { formId, stepId, ids } = await makeForm(site, "Work with me", [
      ["text", "Name"],
      ["email", "Mail"],
    ]);
    const second = await site.asOwner("POST", "/api/form-steps", { formId, title: "Goal" });
    await openBuilder(formId);
    await button("Move Goal up").click();
    await owner.toast("Steps reordered successfully");
    expect(lastSent("POST")).toEqual({
      call: "POST /api/form-steps/reorder",
      body: { stepIds: [second.id, stepId] },
    });
    await button("2 fields in You").click();
    await button("Move Name down").click();
    await owner.toast("Fields reordered successfully");
    expect(lastSent("POST")).toEqual({
      call: "POST /api/form-fields/reorder",
      body: { fieldIds: [ids[1], ids[0]] },
    });
  });

  test("a step is dragged to another place by its handle", async () => {
    const { formId, stepId } = await makeForm(site, "Work with me");
    const second = await site.asOwner("POST", "/api/form-steps", { formId, title: "Goal" });
    await openBuilder(formId);
    await button("Drag to reorder Goal").scrollIntoViewIfNeeded();
    const [from, to] = [
      await button("Drag to reorder Goal").boundingBox(),
      await button("Drag to reorder You").boundingBox(),
    ];
    const { mouse } = owner.page;
    await mouse.move(from!.x + 8, from!.y + 8);
    await mouse.down();
    await mouse.move(to!.x + 8, to!.y + 12, { steps: 8 });
    await mouse.move(to!.x + 8, to!.y + 4, { steps: 4 });
    await mouse.up();
    await owner.toast("Steps reordered successfully");
    expect(lastSent("POST").body).toEqual({ stepIds: [second.id, stepId] });
  });

  test("Add Field adds a text field labelled New Field, not required, active, with an order equal to the count plus one", async () => {
    const { formId, stepId } = await makeForm(site, "Work with me", [["text", "Name"]]);
    await openBuilder(formId);
    await button("Add Field").click();
    await button("Edit New Field").waitFor();
    expect(lastSent("POST")).toEqual({
      call: "POST /api/form-fields",
      body: {
        stepId,
        fieldType: "text",
        label: "New Field",
        fieldOrder: 2,
        isRequired: false,
        isActive: true,
      },
    });
    await button("2 fields in You").waitFor();
  });

  test("a field has one of ten types; options, one per line, only for dropdown, radio buttons and checkboxes", async () => {
    const { formId, ids } = await makeForm(site, "Work with me", [["text", "Name"]]);
    await openBuilder(formId);
    await button("Edit Name").click();
    const type = field("Field Type");
    expect(await type.locator("option").allTextContents()).toEqual(
      FIELD_TYPES.map(({ label }) => label),
    );
    for (const { value } of FIELD_TYPES) {
      await type.selectOption(value);
      const expected = ["select", "radio", "checkbox"].includes(value) ? 1 : 0;
      expect(await field("Options").count()).toBe(expected);
    }
    await type.selectOption("radio");
    await field("Label").fill("How often?");
    await field("Admin Label").fill("Often");
    await field("Placeholder").fill("Choose");
    await field("Required").check();
    await field("Options").fill("Daily\nWeekly");
    await framed().getByText("Weekly", { exact: true }).waitFor({ state: "attached" });
    await button("Save field").click();
    await owner.toast("Field updated successfully");
    expect(lastSent("PUT")).toEqual({
      call: `PUT /api/form-fields/${ids[0]}`,
      body: {
        fieldType: "radio",
        label: "How often?",
        adminLabel: "Often",
        placeholder: "Choose",
        isRequired: true,
        options: "Daily\nWeekly",
      },
    });
    await owner.page.getByText("Radio Buttons · Required · Often").waitFor();
    await button("Edit How often?").waitFor();
    expect(await focused()).toBe("Edit How often?");
  });

  test("deleting a field offers Undo; a step with fields asks first", async () => {
    const { formId } = await makeForm(site, "Work with me", [["text", "Name"]]);
    await openBuilder(formId);
    await button("Delete Name").click();
    await owner.toast("Field deleted successfully");
    await owner.page.getByText("No fields yet").waitFor();
    await button("Undo").click();
    await button("Edit Name").waitFor();
    await button("Delete You").click();
    await dialog().getByText("Its field goes with it.").waitFor();
    expect(await focused()).toBe("Keep step");
    await button("Delete step").click();
    await owner.page.getByText("No steps yet").waitFor();
  });
});

describe("at every width", () => {
  for (const width of WIDTHS)
    test(`the builder fits ${width} pixels and axe finds nothing`, async () => {
      const { formId } = await makeForm(site, `A${"very".repeat(20)}longtitle`, [
        ["select", "x".repeat(90), { options: "a\nb" }],
      ]);
      await openBuilder(formId, width);
      await owner.page.getByRole("button", { name: /^Edit xxx/ }).click();
      await field("Options").waitFor();
      expect(await axe(owner.page)).toEqual([]);
      expect(await sideways(owner.page)).toBeLessThanOrEqual(0);
      await owner.page.getByRole("tab", { name: "Forms", exact: true }).last().click();
      await owner.page.getByText("Shown on the coaching page").waitFor();
      expect(await axe(owner.page)).toEqual([]);
      expect(await sideways(owner.page)).toBeLessThanOrEqual(0);
      expect(owner.page.problems()).toEqual([]);
    });
});
