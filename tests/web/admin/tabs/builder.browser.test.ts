/** The Builder subtab of the dashboard (specification, section 2.18). */
import { afterEach, describe, expect, test } from "bun:test";
import { FIELD_TYPES } from "../../../../src/schema/enquiry/questions.ts";
import { beginComposition } from "../../../support/inputMethod.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { makeForm, deleteForms } from "../../../support/enquiryForm.ts";
import { readFocusedName } from "../../../support/pageState.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue, waitUntilStable } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button, field, dialog, card } = dashboard;
afterEach(() => deleteForms(site));

const heading = (name: string) =>
  dashboard.page.getByRole("heading", { name, exact: true, level: 3 });
const readFocused = () => readFocusedName(dashboard.page);
const previewFrame = () => dashboard.page.frameLocator("iframe[title='Desktop preview']");

async function openBuilder(formId: string, width = 1366): Promise<void> {
  await dashboard.open("forms", { width, sub: "builder", form: formId });
  await heading("Form Steps").waitFor();
}

/** The labels of a step's questions, in order. */
async function readLabels(stepId: string): Promise<string[]> {
  const fields: { label: string; fieldOrder: number }[] = await site.asOwner(
    "GET",
    `/api/form-fields/${stepId}`,
  );
  return fields
    .toSorted((one, other) => one.fieldOrder - other.fieldOrder)
    .map(({ label }) => label);
}

/** A form whose second step has a consent, which comes last. */
async function makeTwoSteps() {
  const made = await makeForm(site, "Work with me", [
    ["text", "Name"],
    ["international_phone", "A number on which you can be reached during the day"],
    ["consent", "I agree"],
  ]);
  const first = await site.asOwner<{ id: string }>("POST", "/api/form-steps", {
    formId: made.formId,
    title: "Before",
    stepOrder: 0,
    isActive: true,
  });
  const town = { stepId: first.id, fieldType: "text", label: "Town", fieldOrder: 1 };
  await site.asOwner("POST", "/api/form-fields", town);
  return { ...made, firstId: first.id };
}
const PHONE = "A number on which you can be reached during the day";

test("on a phone closed questions are rows of 56 px, and a question is edited and moved in a bottom sheet", async () => {
  const { formId, stepId, firstId } = await makeTwoSteps();
  await openBuilder(formId, 390);
  await button("3 fields in You").click();
  for (const name of ["Fields", "Form Steps"]) {
    const lines = card(name).locator(".row-line");
    await lines.first().waitFor();
    const heights = await lines.evaluateAll((all) =>
      all.map((each) => Math.round(each.getBoundingClientRect().height)),
    );
    expect([name, Math.max(...heights)]).toEqual([name, 56]);
  }
  await button("1 field in Before").click();
  await button("Edit Town").click();
  const panel = dashboard.page.locator("dialog[open] > .ui-dialog-panel");
  await panel.getByLabel("Dashboard label").waitFor();
  await dialog().getByRole("button", { name: "Duplicate Town" }).waitFor();
  await waitUntilStable(dashboard.page);
  const { x, y, width, height } = (await panel.boundingBox())!;
  expect([x, width, Math.round(y + height)]).toEqual([0, 390, 844]);
  expect(y).toBeGreaterThan(0);
  const step = dashboard.page.getByRole("combobox", { name: "Step", exact: true });
  await step.selectOption({ label: "2. You" });
  await dashboard.waitForToast("Town moved to You");
  await waitForValue(() => readLabels(stepId), ["Name", PHONE, "Town", "I agree"]);
  expect(await readLabels(firstId)).toEqual([]);
  await dashboard.page.keyboard.press("Escape");
  await button("4 fields in You").click();
  await button("Add Field").click();
  await waitForValue(() => readLabels(stepId), ["Name", PHONE, "Town", "New Field", "I agree"]);
});

describe("Builder", () => {
  test("Add Step adds a step titled Step N at the end", async () => {
    const form = await site.asOwner("POST", "/api/forms", { name: "Form 1", title: "New Form" });
    await openBuilder(form.id);
    await dashboard.waitForText("No steps yet");
    for (const position of [1, 2]) {
      await button("Add Step").click();
      await card("Form Steps").getByText(`Step ${position}`, { exact: true }).waitFor();
      expect(dashboard.getLastWrite("POST")).toEqual({
        call: "POST /api/form-steps",
        body: { formId: form.id, title: `Step ${position}`, stepOrder: position, isActive: true },
      });
    }
    await heading("Fields").waitFor();
    await dashboard.waitForText("Step 2: Step 2");
    await dashboard.waitForText("No fields yet");
  });

  test("Enter saves and Escape cancels a step, unless the keys belong to an input method", async () => {
    const { formId, stepId } = await makeForm(site, "Work with me", [["text", "Name"]]);
    await site.asOwner("PUT", `/api/forms/${formId}`, { redirectUrl: "https://example.com/next" });
    await openBuilder(formId);
    await button("Edit You").click();
    await field("Step title").fill("");
    const title = await beginComposition(dashboard.page, "あなた");
    for (const key of ["Enter", "Escape", "ArrowDown"]) await title.press(key);
    await waitUntilStable(dashboard.page);
    expect(dashboard.writes).toEqual([]);
    await title.end();
    expect(await field("Step title").inputValue()).toBe("あなた");
    expect(dashboard.writes).toEqual([]);
    await dashboard.page.keyboard.press("Escape");
    await field("Add a question").focus();
    const question = await beginComposition(dashboard.page, "なまえ");
    await question.end();
    await waitUntilStable(dashboard.page);
    expect(dashboard.writes).toEqual([]);
    expect(await field("Add a question").inputValue()).toBe("なまえ");
    await field("Add a question").fill("");
    expect(dashboard.page.problems()).toEqual([]);
    await previewFrame().getByText("Step 1 of 1").waitFor({ state: "attached" });
    await button("Edit You").click();
    await field("Step title").fill("Never mind");
    await dashboard.page.keyboard.press("Escape");
    await card("Form Steps").getByText("You", { exact: true }).waitFor();
    expect(dashboard.writes).toEqual([]);
    await waitForValue(readFocused, "Edit You");
    await button("Edit You").click();
    await field("Step title").fill("About you");
    await field("Subtitle").last().fill("Who writes?");
    await previewFrame().getByRole("heading", { name: "About you", includeHidden: true }).waitFor();
    await field("Step title").press("Enter");
    await card("Form Steps").getByText("About you", { exact: true }).waitFor();
    expect(dashboard.writes).toEqual([
      {
        call: `PUT /api/form-steps/${stepId}`,
        body: {
          title: "About you",
          subtitle: "Who writes?",
          description: "",
          isActive: true,
          showIf: null,
        },
      },
    ]);
    await button("Active: About you").click();
    await button("Inactive: About you").waitFor();
    expect(dashboard.getLastWrite("PUT").body).toMatchObject({
      title: "About you",
      isActive: false,
    });
    await previewFrame()
      .getByText("No active steps found in this form.")
      .waitFor({ state: "attached" });
    await dashboard.waitForText("About you is inactive");

    await field("Title").fill("Train with me");
    await field("Subtitle").fill("Two steps");
    await field("Description").fill("I read it all.");
    await field("Thank You Message").fill("Thanks!");
    await field("Active").uncheck();
    await previewFrame()
      .getByRole("heading", { name: "Train with me", includeHidden: true })
      .waitFor();
    await dashboard.waitForText("Not saved yet");
    await button("Save Form Settings").click();
    await dashboard.waitForToast("Form updated successfully");
    expect(dashboard.getLastWrite("PUT")).toEqual({
      call: `PUT /api/forms/${formId}`,
      body: {
        title: "Train with me",
        subtitle: "Two steps",
        description: "I read it all.",
        path: null,
        isActive: false,
        thankYouMessage: "Thanks!",
        redirectUrl: "https://example.com/next",
      },
    });
    expect(await field("Redirect URL").count()).toBe(0);
  });

  test("moving a step or a field sends the ids of all steps or fields in their new order", async () => {
    const { formId, stepId, ids } = await makeForm(site, "Work with me", [
      ["text", "Name"],
      ["email", "Mail"],
    ]);
    const second = await site.asOwner("POST", "/api/form-steps", { formId, title: "Goal" });
    await openBuilder(formId);
    await button("Drag to reorder Goal").scrollIntoViewIfNeeded();
    // The library marks the rows that it makes sortable.
    const sortableRows = card("Form Steps").locator('.list-row[draggable="false"]');
    await waitForValue(() => sortableRows.count(), 2);
    await waitUntilStable(dashboard.page);
    const [from, to] = [
      await button("Drag to reorder Goal").boundingBox(),
      await button("Drag to reorder You").boundingBox(),
    ];
    const { mouse } = dashboard.page;
    await mouse.move(from!.x + 8, from!.y + 8);
    await mouse.down();
    await mouse.move(to!.x + 8, to!.y + 12, { steps: 8 });
    await mouse.move(to!.x + 8, to!.y + 4, { steps: 4 });
    const names = () => card("Form Steps").locator(".row-content").allInnerTexts();
    await waitForValue(async () => (await names())[0]!.includes("Goal"), true);
    await mouse.up();
    await dashboard.waitForToast("Steps reordered successfully");
    expect(dashboard.getLastWrite("POST").body).toEqual({ stepIds: [second.id, stepId] });
    await button("Move You up").click();
    await dashboard.waitForToast("Steps reordered successfully");
    expect(dashboard.getLastWrite("POST")).toEqual({
      call: "POST /api/form-steps/reorder",
      body: { stepIds: [stepId, second.id] },
    });
    await button("2 fields in You").click();
    await button("Move Name down").click();
    await dashboard.waitForToast("Fields reordered successfully");
    expect(dashboard.getLastWrite("POST")).toEqual({
      call: "POST /api/form-fields/reorder",
      body: { fieldIds: [ids[1], ids[0]] },
    });
  });

  test("Add Field adds an optional text field at the end, which can be changed to any of ten types", async () => {
    const { formId, stepId, ids } = await makeForm(site, "Work with me", [["text", "Name"]]);
    await openBuilder(formId);
    await button("Edit Name").click();
    const type = field("Field Type");
    expect(await type.locator("option").allTextContents()).toEqual(
      FIELD_TYPES.map(({ label }) => label),
    );
    for (const { value } of FIELD_TYPES) {
      await type.selectOption(value);
      const expected = ["select", "radio", "checkbox"].includes(value) ? 1 : 0;
      await waitForValue(() => field("Options").count(), expected);
    }
    await type.selectOption("radio");
    await field("Label").fill("How often?");
    await field("Dashboard label").fill("Often");
    await field("Placeholder").fill("Choose");
    await field("Required").check();
    await field("Options").fill("Daily\nWeekly");
    await previewFrame().getByText("Weekly", { exact: true }).waitFor({ state: "attached" });
    await button("Save field").click();
    await dashboard.waitForToast("Field updated successfully");
    expect(dashboard.getLastWrite("PUT")).toEqual({
      call: `PUT /api/form-fields/${ids[0]}`,
      body: {
        fieldType: "radio",
        label: "How often?",
        adminLabel: "Often",
        placeholder: "Choose",
        isRequired: true,
        isActive: true,
        options: "Daily\nWeekly",
        showIf: null,
      },
    });
    await dashboard.waitForText("Radio Buttons · Required · Often");
    await button("Edit How often?").waitFor();
    await waitForValue(readFocused, "Edit How often?");
    await button("Delete How often?").click();
    await dashboard.waitForToast("Field deleted successfully");
    await dashboard.waitForText("No fields yet");
    await button("Undo").click();
    await button("Edit How often?").waitFor();
    await button("Add Field").click();
    await button("Edit New Field").waitFor();
    expect(dashboard.getLastWrite("POST")).toEqual({
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
    await button("Delete You").click();
    await dialog().getByText("Its 2 fields will be deleted too.").waitFor();
    await waitForValue(readFocused, "Cancel");
    await button("Delete step").click();
    await dashboard.waitForText("No steps yet");
  });
});
