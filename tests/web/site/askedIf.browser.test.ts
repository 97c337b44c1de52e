/** A form that asks by what was answered before (specification, section 4.3), with scripts and without. */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { LEAST_FILLING_MS } from "../../../src/schema/questions.ts";
import { axe } from "../../support/axe.ts";
import { closePages, newPage } from "../../support/browser.ts";
import { askOnlyIf, type MadeForm, onlyForm } from "../../support/enquiryForm.ts";
import { EnquiryVisit, openEnquiry } from "../../support/enquiryVisit.ts";
import { isFocused, sideways } from "../../support/pageState.ts";
import { siteInBrowser, UNLIMITED } from "../../support/siteInBrowser.ts";
import { startSite } from "../../support/startSite.ts";
import { eventually } from "../../support/waits.ts";

const site = siteInBrowser(() => startSite({ env: UNLIMITED }));
const ABOUT = "What is it about?";
let form: MadeForm;

beforeAll(async () => {
  form = await onlyForm(site, [
    {
      title: "First",
      fields: [
        { label: ABOUT, fieldType: "radio", options: "Coaching\nA show", isRequired: true },
        { label: "Your name", isRequired: true },
      ],
    },
    { title: "Your goal", fields: [{ label: "Goal", isRequired: true }] },
    {
      title: "Your show",
      fields: [
        { label: "Which day?", isRequired: true },
        { label: "Where?", fieldType: "checkbox", options: "Indoors\nOutdoors" },
      ],
    },
    { title: "Power", fields: [{ label: "Is there power?", isRequired: true }] },
  ]);
  await askOnlyIf(site, form, 1, ABOUT, ["Coaching"]);
  await askOnlyIf(site, form, 2, ABOUT, ["A show"]);
  await askOnlyIf(site, form, 3, "Where?", ["Outdoors"]);
});
afterEach(closePages);

async function newest(): Promise<string[]> {
  const [first] = await site.asOwner("GET", `/api/form-submissions/${form.id}`);
  return first.questions.map(({ label }: { label: string }) => label);
}

describe.each([390, 1366])("at %d pixels", (width) => {
  test("with scripts the steps that are asked follow the answers, and M is announced", async () => {
    const visit = await openEnquiry(site, { width });
    await visit.step("1 of 1").waitFor();
    // A form of which nothing else is asked is sent from there.
    expect(await visit.button("Submit").count()).toBe(1);
    const count = visit.page.locator(".enquiry-count");
    expect(await count.getAttribute("aria-live")).toBe("polite");
    await visit.field("Your name").fill("Ada");
    await visit.field("Coaching").check();
    await visit.step("1 of 2").waitFor();
    expect(await visit.button("Submit").count()).toBe(0);
    await visit.button("Next").click();
    await visit.step("2 of 2").waitFor();
    await visit.field("Goal").fill("Sing");
    expect(await axe(visit.page)).toEqual([]);
    expect(await sideways(visit.page)).toBe(0);

    await visit.button("Previous").click();
    await visit.field("A show").check();
    await visit.button("Next").click();
    await visit.step("2 of 2").waitFor();
    await eventually(() => isFocused(visit.page.getByRole("heading", { name: "Your show" })), true);
    await visit.field("Which day?").fill("Friday");
    await visit.field("Outdoors").check();
    await visit.step("2 of 3").waitFor();
    await visit.button("Next").click();
    await visit.button("Submit").click();
    await visit.toast().getByText("Is there power? is required").waitFor();
    await visit.button("Previous").click();
    await visit.field("Outdoors").uncheck();
    await visit.step("2 of 2").waitFor();
    const { data } = (await visit.submitted()) as { data: Record<string, unknown> };
    await visit.thanks().waitFor();
    // What was typed before somebody stepped back is not sent.
    expect(Object.values(data)).toEqual(["A show", "Ada", "Friday"]);
    expect(await newest()).toEqual([ABOUT, "Your name", "Which day?"]);
  });

  test("what isn't asked stays on the page until it is sent, also over a reload", async () => {
    const visit = await openEnquiry(site, { width });
    await visit.field("Your name").fill("Ada");
    await visit.field("Coaching").check();
    await visit.button("Next").click();
    await visit.field("Goal").fill("Sing high");
    await visit.button("Previous").click();
    await visit.field("A show").check();
    await visit.keeps("A show");
    await visit.page.reload();
    await visit.alive();
    await visit.field("Coaching").check();
    await visit.button("Next").click();
    expect(await visit.field("Goal").inputValue()).toBe("Sing high");
  });

  test("without scripts it is the same way", async () => {
    const page = await newPage({ width, javaScript: false });
    await page.goto(`${site.url}/coaching`);
    const visit = new EnquiryVisit(page);
    await visit.step("1 of 1").waitFor();
    await visit.field("Your name").fill("Plain Ada");
    await visit.field("Coaching").check();
    await visit.button("Submit").click();
    await visit.step("2 of 2").waitFor();
    await visit.field("Goal").fill("Sing");
    await visit.button("Previous").click();
    await visit.step("1 of 2").waitFor();
    await visit.field("A show").check();
    await visit.button("Next").click();
    await visit.step("2 of 2").waitFor();
    expect(await visit.field("Goal").count()).toBe(0);
    await visit.field("Which day?").fill("Friday");
    await visit.field("Outdoors").check();
    await visit.button("Submit").click();
    await visit.step("3 of 3").waitFor();
    await visit.button("Submit").click();
    await page.getByText("Is there power? is required").first().waitFor();
    await visit.field("Is there power?").fill("Yes");
    site.advance(LEAST_FILLING_MS);
    await visit.button("Submit").click();
    await visit.thanks().waitFor();
    expect(await newest()).toEqual([ABOUT, "Your name", "Which day?", "Where?", "Is there power?"]);
  });
});
