/** Conditional questions in the Builder (specification, section 2.18). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setUpDashboard } from "../../../support/dashboard.ts";
import {
  setCondition,
  type CreatedForm,
  deleteForms,
  replaceForms,
} from "../../../support/enquiryForm.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button, field, card } = dashboard;
const ABOUT = "What is it about?";
let form: CreatedForm;

beforeEach(async () => {
  form = await replaceForms(site, [
    {
      title: "First",
      fields: [
        { label: ABOUT, fieldType: "radio", options: "Coaching\nA show\nBoth" },
        { label: "Your name" },
      ],
    },
    { title: "Details", fields: [{ label: "Your goal" }, { label: "Which day?" }] },
  ]);
});
afterEach(() => deleteForms(site));

const openBuilder = async (width = 1366) => {
  await dashboard.open("forms", { width, sub: "builder", form: form.id });
  await card("Form Steps").waitFor();
};
const steps = () => card("Form Steps");
const fields = () => card("Fields");
const fold = () => dashboard.page.locator(".form-fold", { hasText: "Show only if" });
const previewFrame = () => dashboard.page.frameLocator("iframe[title='Desktop preview']");
const readStoredFields = (at: number) =>
  site.asOwner("GET", `/api/form-fields/${form.stepIds[at]}`) as Promise<
    { label: string; showIf: unknown }[]
  >;

describe("the setting Show only if", () => {
  test("is set for a question or a step by choosing another question's options, and is then summarized", async () => {
    await openBuilder();
    await button("Edit Your name").click();
    await field("Placeholder").waitFor();
    expect(await fold().count()).toBe(0);
    await button("Cancel").click();
    await button("2 fields in Details").click();
    await button("Edit Which day?").click();
    await fold().getByText("Always shown").first().waitFor();
    await fold().locator("summary").click();
    await field("Show only if").selectOption({ label: ABOUT });
    await button("Save field").click();
    await fold().getByText("Choose one of the options.").waitFor();
    expect((await readStoredFields(1))[1]!.showIf).toBeNull();
    await field("A show").check();
    await dashboard.waitForText('Shown only if "What is it about?" is A show.');
    await field("Both").check();
    await dashboard.waitForText('Shown only if "What is it about?" is A show or Both.');
    await expectAccessible(dashboard.page);
    await button("Save field").click();
    await dashboard.waitForToast("Field updated successfully");
    const condition = { fieldId: form.fieldIds[ABOUT], values: ["A show", "Both"] };
    expect(dashboard.getLastWrite("PUT").body.showIf).toEqual(condition);
    await fields().getByText('Shown only if "What is it about?" is A show or Both').waitFor();
    // The preview shows the conditional question.
    await previewFrame().getByLabel("Which day?").waitFor();

    await button("Edit Which day?").click();
    await field("Show only if").selectOption({ label: "Always shown" });
    await button("Save field").click();
    await waitForValue(async () => (await readStoredFields(1))[1]!.showIf, null);
    // The field's form closes after its save.
    await waitForValue(() => fold().count(), 0);

    await button("Edit Details").click();
    await fold().locator("summary").click();
    await field("Show only if").selectOption({ label: ABOUT });
    await field("Coaching").check();
    await button("Save step").click();
    await dashboard.waitForToast("Step updated successfully");
    await steps().getByText('Shown only if "What is it about?" is Coaching').waitFor();
    await previewFrame().getByText("Step 2 of 2").waitFor();
    await previewFrame().getByLabel("Your goal").waitFor();
  });
});

describe("a condition on a question's choices", () => {
  beforeEach(() => setCondition(site, form, 1, ABOUT, ["Coaching"]));
  const WORDS = "2 fields lost their conditions and are now always shown.";

  test("is lost with a message when the question is deleted or moved to a later step, and Undo restores the condition", async () => {
    await openBuilder();
    await button(`Delete ${ABOUT}`).click();
    await dashboard.waitForToast(WORDS);
    await steps().getByText("depends on a field that is no longer available").waitFor();
    await button("Undo").click();
    await steps().getByText('Shown only if "What is it about?" is Coaching').waitFor();
    await button("Move First down").click();
    await dashboard.waitForToast(WORDS);
    await steps().getByText("depends on a field that is no longer available").waitFor();
    await button("Undo").click();
    await steps().getByText('Shown only if "What is it about?" is Coaching').waitFor();
    await button("Delete First").click();
    await button("Delete step").click();
    await dashboard.waitForToast(WORDS);
    await button("Undo").click();
    await steps().getByText('Shown only if "What is it about?" is Coaching').waitFor();
    await button("2 fields in First").click();
    await button(`Edit ${ABOUT}`).click();
    await field("Options").fill("Lessons\nA show\nBoth");
    await button("Save field").click();
    await dashboard.waitForToast("Field updated successfully");
    await steps().getByText('Shown only if "What is it about?" is Lessons').waitFor();
    await button(`Edit ${ABOUT}`).click();
    await field("Options").fill("A\nB\nC");
    await button("Save field").click();
    await steps().getByText("depends on a deleted option").waitFor();
    await button("Edit Details").click();
    await dashboard.waitForText(
      "The condition depends on a deleted option, so this is always shown. Choose another condition.",
    );
    expect(await dashboard.page.locator(".condition-options input:checked").count()).toBe(0);
  });

  test("is copied with a duplicated question, unless the question that it depends on was deleted", async () => {
    await setCondition(site, form, "Which day?", ABOUT, ["A show"]);
    await openBuilder();
    await button("2 fields in Details").click();
    await button("Duplicate Which day?").click();
    await dashboard.waitForToast("Which day? (copy) added");
    await button("2 fields in First").click();
    await button(`Delete ${ABOUT}`).click();
    await button("3 fields in Details").click();
    await button("Duplicate Which day?").click();
    await dashboard.waitForToast("Which day? (copy) added");
    const conditions = (await readStoredFields(1)).map(({ showIf }) => showIf !== null);
    expect(conditions).toEqual([false, true, false, true]);
  });
});
