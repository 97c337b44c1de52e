/** The enquiry form with scripts, as a visitor fills it in (specification, section 4.3). */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { closePages } from "../../support/browser.ts";
import { expectSoundAtWidths } from "../../support/expectSound.ts";
import { byId, EVERY_KIND, type MadeForm, onlyForm } from "../../support/enquiryForm.ts";
import { type EnquiryVisit, openEnquiry } from "../../support/enquiryVisit.ts";
import { isFocused } from "../../support/pageState.ts";
import { emptySite } from "../../support/siteInBrowser.ts";
import { eventually } from "../../support/waits.ts";

const site = emptySite();
let form: MadeForm;
beforeAll(async () => {
  form = await onlyForm(site, EVERY_KIND);
});
afterEach(closePages);

async function newest(): Promise<Record<string, unknown>> {
  const [first] = await site.asOwner("GET", `/api/form-submissions/${form.id}`);
  return JSON.parse(first.submissionData);
}

test("the form is walked step by step, sent and thanked for, and every step is sound at every width", async () => {
  const visit = await openEnquiry(site, { width: 390 });
  await visit.step("1 of 3").waitFor();
  expect(await visit.button("Previous").count()).toBe(0);
  expect(await visit.page.getByText("Hidden question").count()).toBe(0);
  await expectSoundAtWidths(visit.page);

  await visit.button("Next").click();
  await visit.toast().getByText("Validation Error").waitFor();
  await visit.toast().getByText("Your name is required").waitFor();
  await visit.step("1 of 3").waitFor();
  expect(await visit.field(/Your name/).getAttribute("aria-invalid")).toBe("true");
  await eventually(() => isFocused(visit.field(/Your name/)), true);
  expect(await visit.field(/^Email/).getAttribute("aria-invalid")).toBeNull();
  await expectSoundAtWidths(visit.page);

  await visit.fillFirstStep();
  // What is put right is no longer told of.
  await eventually(() => visit.toast().count(), 0);
  await visit.button("Next").click();
  await visit.step("2 of 3").waitFor();
  // Where the focus goes is scrolled to as well.
  await eventually(() => isFocused(visit.page.getByRole("heading", { name: "Your story" })), true);
  const { top } = await visit.page
    .locator(".enquiry-card")
    .evaluate((each) => each.getBoundingClientRect());
  expect(top).toBeGreaterThanOrEqual(64);
  expect(top).toBeLessThan(visit.page.viewportSize()!.height * 0.4);
  await visit.field("Story").fill("Back and forth");
  await visit.button("Previous").click();
  await visit.step("1 of 3").waitFor();
  expect(await visit.field(/Your name/).inputValue()).toBe("Ann");
  expect(await visit.country().inputValue()).toBe("United Kingdom");
  await visit.button("Next").click();
  await eventually(() => visit.field("Story").inputValue(), "Back and forth");
  await visit.button("Next").click();
  await visit.field(/Goal/).selectOption("Dance");
  await visit.field("In person").check();
  await visit.field("Evenings").check();
  await expectSoundAtWidths(visit.page);

  await visit.button("Submit").click();
  await visit.thanks().waitFor();
  const thanks = "Your form has been submitted successfully. We'll be in touch soon!";
  await visit.page.getByText(thanks).waitFor();
  expect(await newest()).toEqual(
    byId(form, {
      "Your name": "Ann",
      Email: "ann@example.com",
      Country: "United Kingdom",
      Story: "Back and forth",
      Goal: "Dance",
      Where: "In person",
      When: ["Evenings"],
    }),
  );
  await visit.button("Submit Another Response").click();
  await visit.step("1 of 3").waitFor();
  expect(await visit.field(/Your name/).inputValue()).toBe("");
  expect(visit.page.problems()).toEqual([]);
});

test("the body is formId, data, submittedAt and when it was begun, with lists for checkboxes", async () => {
  const visit = await openEnquiry(site);
  await visit.goToLastStep();
  // What is no number stays and is said, and isn't left out of what is sent.
  await visit.field("Sessions").pressSequentially("10-12");
  await visit.button("Submit").click();
  await visit.toast().getByText("Enter a number such as 12 or 3.5.").waitFor();
  expect(await visit.field("Sessions").inputValue()).toBe("10-12");
  await visit.field("Sessions").fill("3");
  await visit.field("Landline").fill("020 7946 0000");
  const { formId, data, submittedAt, started, ...more } = await visit.submitted();
  expect(more).toEqual({});
  expect(started).toMatch(/^[0-9a-z]+\.[\w-]{43}$/);
  expect(formId).toBe(form.id);
  expect(new Date(submittedAt as string).toISOString()).toBe(submittedAt as string);
  expect(data).toEqual(
    byId(form, {
      "Your name": "Ann",
      Email: "ann@example.com",
      Country: "United Kingdom",
      Story: "I want to sing.",
      Goal: "Sing",
      Where: "Online",
      When: ["Mornings", "Evenings"],
      Sessions: "3",
      Landline: "020 7946 0000",
    }),
  );
  await visit.thanks().waitFor();
});

describe("required questions", () => {
  test("show (required) beside the label when the step has more than one active field", async () => {
    const visit = await openEnquiry(site);
    expect(await visit.page.locator("label", { hasText: "Your name" }).innerText()).toContain(
      "(required)",
    );
    expect(await visit.page.locator("label", { hasText: "Mobile" }).innerText()).not.toContain(
      "required",
    );
    expect(await visit.page.locator(".question-required").count()).toBe(0);
  });

  test("show a centred required line when it has one", async () => {
    const visit = await openEnquiry(site);
    await visit.fillFirstStep();
    await visit.button("Next").click();
    const line = visit.page.locator(".question-required");
    await line.waitFor();
    expect(await line.evaluate((each) => getComputedStyle(each).textAlign)).toBe("center");
    expect(await visit.page.locator("label", { hasText: "Story" }).innerText()).toBe("Story");
  });

  test("are non-empty once trimmed, and only the first missing one is reported", async () => {
    const visit = await openEnquiry(site);
    await visit.field(/Your name/).fill("   ");
    await visit.button("Next").click();
    await visit.toast().getByText("Your name is required").waitFor();
    await visit.field(/Your name/).fill("Ann");
    await visit.button("Next").click();
    await visit.toast().getByText("Email is required").waitFor();
    expect(await visit.toast().count()).toBe(1);
    await eventually(() => visit.page.locator("[aria-invalid]").count(), 1);
  });
});

describe("on a phone", () => {
  test("an answer of the wrong shape is said on Next, at its question", async () => {
    const visit = await openEnquiry(site, { width: 390 });
    await visit.fillFirstStep();
    await visit.field(/^Email/).fill("ann@");
    await visit.field(/^Mobile/).fill("12");
    await visit.button("Next").click();
    const words = "Enter an email address such as name@example.com.";
    await visit.toast().getByText("Validation Error").waitFor();
    await visit.toast().getByText(words).waitFor();
    expect(await visit.page.locator(".question-error").allInnerTexts()).toEqual([words]);
    await eventually(() => isFocused(visit.field(/^Email/)), true);
    await visit.field(/^Email/).fill("ann@example.com");
    await visit.button("Next").click();
    await visit.toast().getByText("Choose a country code and enter a phone number.").waitFor();
    await eventually(() => isFocused(visit.field(/^Mobile/)), true);
    await visit.field(/^Mobile/).fill("");
    await visit.button("Next").click();
    await visit.step("2 of 3").waitFor();
  });

  test("a 0 after a dial prefix is left out by one press, and taken as it is without one", async () => {
    const visit = await openEnquiry(site, { width: 390 });
    const mobile = visit.field(/^Mobile/);
    await mobile.fill("07700 900123");
    const help = visit.page.getByText("After +44 a number goes without its first 0.");
    await help.waitFor();
    await expectSoundAtWidths(visit.page);
    await visit.button("Leave it out").click();
    await help.waitFor({ state: "detached" });
    expect(await mobile.inputValue()).toBe("7700 900123");
    await eventually(() => isFocused(mobile), true);
    await mobile.fill("06 698 12345");
    await visit.page.getByLabel("Dial prefix").selectOption("IT");
    await visit.page.getByText(/goes without its first 0/).waitFor({ state: "detached" });
    await visit.page.getByLabel("Dial prefix").selectOption("GB");
    await visit.goToLastStep();
    const { data } = await visit.submitted();
    expect(data).toMatchObject(byId(form, { Mobile: "+4406 698 12345" }));
    await visit.thanks().waitFor();
  });
});

test("the whole form works by keyboard alone", async () => {
  const visit = await openEnquiry(site);
  const type = async (label: RegExp | string, text: string) => {
    await tabTo(visit, visit.field(label));
    await visit.page.keyboard.type(text);
  };
  await type(/Your name/, "Key Ann");
  await type(/^Email/, "key@example.com");
  await tabTo(visit, visit.country());
  await visit.page.keyboard.type("kingdom");
  await visit.option(/^United Kingdom/).waitFor();
  await visit.page.keyboard.press("Enter");
  await tabTo(visit, visit.button("Next"));
  await visit.page.keyboard.press("Enter");
  await visit.step("2 of 3").waitFor();
  await eventually(() => isFocused(visit.page.getByRole("heading", { name: "Your story" })), true);
  expect(await visit.field("Story").getAttribute("rows")).toBe("4");
  await type("Story", "Typed");
  await tabTo(visit, visit.button("Next"));
  await visit.page.keyboard.press("Space");
  await eventually(() => isFocused(visit.page.getByRole("heading", { name: "The rest" })), true);
  await tabTo(visit, visit.field(/Goal/));
  await visit.page.keyboard.press("s");
  await tabTo(visit, visit.field("Online"));
  await visit.page.keyboard.press("Space");
  await tabTo(visit, visit.field("Mornings"));
  await visit.page.keyboard.press("Space");
  await tabTo(visit, visit.field("Sessions"));
  await visit.page.keyboard.type("2");
  // Enter in a line goes forward, never back to Previous.
  await visit.page.keyboard.press("Enter");
  await visit.thanks().waitFor();
  expect(await newest()).toMatchObject(byId(form, { "Your name": "Key Ann", Sessions: "2" }));
});

async function tabTo({ page }: EnquiryVisit, target: Locator): Promise<void> {
  for (let times = 0; times < 40 && !(await isFocused(target)); times += 1) {
    await page.keyboard.press("Tab");
  }
  await eventually(() => isFocused(target), true);
}
