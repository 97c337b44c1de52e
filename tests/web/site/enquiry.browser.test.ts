/** The enquiry form with scripts: filling it in, countries and numbers (specification, sections 4.3, 5.3). */
import { beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { findBarriers } from "../../support/axe.ts";
import { expectAccessibleAtWidths } from "../../support/expectAccessible.ts";
import {
  toAnswersById,
  EVERY_KIND_STEPS,
  type CreatedForm,
  replaceForms,
} from "../../support/enquiryForm.ts";
import { type EnquiryVisit, openEnquiry } from "../../support/enquiryVisit.ts";
import { isFocused } from "../../support/pageState.ts";
import { setUpEmptySite } from "../../support/browserSite.ts";
import { beginComposition } from "../../support/inputMethod.ts";
import { waitForValue, waitUntilStable } from "../../support/waits.ts";

const site = setUpEmptySite();
let form: CreatedForm;
beforeAll(async () => {
  form = await replaceForms(site, EVERY_KIND_STEPS);
});

async function readNewest(): Promise<Record<string, unknown>> {
  const [first] = await site.asOwner("GET", `/api/form-submissions/${form.id}`);
  return JSON.parse(first.submissionData);
}

test("the enquiry form is filled in step by step and sent, and every step is accessible at every width", async () => {
  const visit = await openEnquiry(site, { width: 390 });
  await visit.step("1 of 3").waitFor();
  expect(await visit.button("Previous").count()).toBe(0);
  expect(await visit.page.getByText("Hidden question").count()).toBe(0);
  const label = (hasText: string) => visit.page.locator("label", { hasText }).innerText();
  const line = visit.page.locator(".question-required");
  expect(await label("Your name")).toContain("(required)");
  expect(await label("Mobile")).not.toContain("required");
  expect(await line.count()).toBe(0);

  await visit.button("Next").click();
  await visit.toast().getByText("Validation Error").waitFor();
  await visit.toast().getByText("Your name is required").waitFor();
  await visit.step("1 of 3").waitFor();
  expect(await visit.field(/Your name/).getAttribute("aria-invalid")).toBe("true");
  await waitForValue(() => isFocused(visit.field(/Your name/)), true);
  expect(await visit.field(/^Email/).getAttribute("aria-invalid")).toBeNull();
  await expectAccessibleAtWidths(visit.page);

  await visit.fillFirstStep();
  // A corrected mistake is no longer reported.
  await waitForValue(() => visit.toast().count(), 0);
  await visit.button("Next").click();
  await visit.step("2 of 3").waitFor();
  // The page scrolls to the focus.
  await waitForValue(
    () => isFocused(visit.page.getByRole("heading", { name: "Your story" })),
    true,
  );
  const { top } = await visit.page
    .locator(".enquiry-card")
    .evaluate((each) => each.getBoundingClientRect());
  expect(top).toBeGreaterThanOrEqual(64);
  expect(top).toBeLessThan(visit.page.viewportSize()!.height * 0.4);
  // A step's only question says in a line of its own that it is required.
  expect(await line.evaluate((each) => getComputedStyle(each).textAlign)).toBe("center");
  expect(await label("Story")).toBe("Story");
  await visit.field("Story").fill("Back and forth");
  await visit.button("Previous").click();
  await visit.step("1 of 3").waitFor();
  expect(await visit.field(/Your name/).inputValue()).toBe("Ann");
  expect(await visit.country().inputValue()).toBe("United Kingdom");
  await visit.button("Next").click();
  await waitForValue(() => visit.field("Story").inputValue(), "Back and forth");
  await visit.button("Next").click();
  await visit.field(/Goal/).selectOption("Dance");
  await visit.field("In person").check();
  await visit.field("Evenings").check();
  // An invalid number stays and is reported, instead of being left out of the request.
  await visit.field("Sessions").pressSequentially("10-12");
  await visit.button("Submit").click();
  await visit.toast().getByText("Enter a number such as 12 or 3.5.").waitFor();
  expect(await visit.field("Sessions").inputValue()).toBe("10-12");
  await visit.field("Sessions").fill("3");
  await expectAccessibleAtWidths(visit.page);

  const { formId, data, submittedAt, started, ...more } = await visit.submit();
  expect([formId, more]).toEqual([form.id, {}]);
  expect(started).toMatch(/^[0-9a-z]+\.[\w-]{43}$/);
  expect(new Date(submittedAt as string).toISOString()).toBe(submittedAt as string);
  await visit.thanks().waitFor();
  const thanks = "Your form has been submitted successfully. We'll be in touch soon!";
  await visit.page.getByText(thanks).waitFor();
  expect(await readNewest()).toEqual(
    toAnswersById(form, {
      "Your name": "Ann",
      Email: "ann@example.com",
      Country: "United Kingdom",
      Story: "Back and forth",
      Goal: "Dance",
      Where: "In person",
      When: ["Evenings"],
      Sessions: "3",
    }),
  );
  expect(data).toEqual(await readNewest());
  await visit.button("Submit Another Response").click();
  await visit.step("1 of 3").waitFor();
  expect(await visit.field(/Your name/).inputValue()).toBe("");
  expect(visit.page.problems()).toEqual([]);
});

test("on a phone an invalid or too long answer is reported at its question, and stays in the field", async () => {
  const visit = await openEnquiry(site, { width: 390 });
  const email = visit.field(/^Email/);
  const mobile = visit.field(/^Mobile/);
  await visit.fillFirstStep();
  await email.fill("ann@");
  await mobile.fill("12");
  await visit.button("Next").click();
  const words = "Enter an email address such as name@example.com.";
  await visit.toast().getByText("Validation Error").waitFor();
  await visit.toast().getByText(words).waitFor();
  expect(await visit.page.locator(".question-error").allInnerTexts()).toEqual([words]);
  await waitForValue(() => isFocused(email), true);
  await email.fill("ann@example.com");
  await visit.button("Next").click();
  await visit.toast().getByText("Choose a country code and enter a phone number.").waitFor();
  await waitForValue(() => isFocused(mobile), true);

  const prefix = visit.page.getByLabel("Country code");
  expect(await prefix.inputValue()).toBe("GB");
  // HTML allows autofill of national numbers on text inputs only, which still get a telephone keyboard.
  const attributes = mobile.evaluate((each: HTMLInputElement) => [
    each.type,
    each.inputMode,
    each.autocomplete,
  ]);
  expect(await attributes).toEqual(["text", "tel", "tel-national"]);
  for (const pasted of [
    "\u202d+49 151 12345678\u202c",
    "0049 151 12345678",
    "(+49) 151 12345678",
  ]) {
    await prefix.selectOption("GB");
    await mobile.fill(pasted);
    expect(await mobile.inputValue()).toBe("151 12345678");
    expect(await prefix.inputValue()).toBe("DE");
  }

  const typed = `${"x".repeat(490)} as typed`;
  const name = visit.page.locator('input[type="text"][data-answer]').first();
  await name.fill(`${typed} THE END`);
  await visit.page.getByText("507 / 500").waitFor();
  await visit.button("Next").click();
  await visit.toast().getByText("Use at most 500 characters.").waitFor();
  expect(await name.inputValue()).toBe(`${typed} THE END`);
  await name.fill(typed);
  await visit.page.getByText("499 / 500").waitFor();

  await visit.button("Next").click();
  await visit.field("Story").fill("I want to sing.");
  await visit.button("Next").click();
  await visit.fillLastStep();
  const { data } = await visit.submit();
  expect((data as Record<string, string>)[form.fieldIds["Mobile"]!]).toMatch(
    /^\+49 +151 12345678$/,
  );
  await visit.thanks().waitFor();
  expect(await readNewest()).toMatchObject(toAnswersById(form, { Mobile: "+49 151 12345678" }));
});

test("the whole enquiry form works by keyboard alone", async () => {
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
  await waitForValue(
    () => isFocused(visit.page.getByRole("heading", { name: "Your story" })),
    true,
  );
  expect(await visit.field("Story").getAttribute("rows")).toBe("4");
  await type("Story", "Typed");
  await tabTo(visit, visit.button("Next"));
  await visit.page.keyboard.press("Space");
  await waitForValue(() => isFocused(visit.page.getByRole("heading", { name: "The rest" })), true);
  await tabTo(visit, visit.field(/Goal/));
  await visit.page.keyboard.press("s");
  await tabTo(visit, visit.field("Online"));
  await visit.page.keyboard.press("Space");
  await tabTo(visit, visit.field("Mornings"));
  await visit.page.keyboard.press("Space");
  await tabTo(visit, visit.field("Sessions"));
  await visit.page.keyboard.type("2");
  // Enter in a field goes forward, never back to Previous.
  await visit.page.keyboard.press("Enter");
  await visit.thanks().waitFor();
  expect(await readNewest()).toMatchObject(
    toAnswersById(form, { "Your name": "Key Ann", Sessions: "2" }),
  );
});

async function tabTo({ page }: EnquiryVisit, target: Locator): Promise<void> {
  for (let times = 0; times < 40 && !(await isFocused(target)); times += 1) {
    await page.keyboard.press("Tab");
  }
  await waitForValue(() => isFocused(target), true);
}

describe("the countries of the enquiry form", () => {
  test("are found by fuzzy search, and shown with flag, name and code", async () => {
    const visit = await openEnquiry(site, { width: 390 });
    const flags = () =>
      visit.page.evaluate(
        () =>
          performance.getEntriesByType("resource").filter(({ name }) => /countrySearch/.test(name))
            .length,
      );
    expect(await flags()).toBe(0);
    const next = visit.page.getByRole("button", { name: "Next" });
    const message = visit.page.getByText("No country found.");
    const below = async (of: Locator) =>
      (await of.boundingBox())!.y - (await visit.country().boundingBox())!.y;
    const before = await below(next);
    await visit.country().click();
    await visit.option(/./).nth(230).waitFor({ state: "attached" });
    await visit.country().fill("germny");
    const germany = visit.option(/^Germany/);
    await germany.waitFor();
    expect(await germany.innerText()).toContain("DE");
    expect(await germany.locator("img").getAttribute("src")).toStartWith("data:image/svg+xml,");
    expect(await flags()).toBe(1);
    await visit.country().fill("zzzz");
    await message.waitFor();
    const { height } = (await visit.country().boundingBox())!;
    const line = (await message.boundingBox())!.height;
    expect(await below(message)).toBeGreaterThanOrEqual(height);
    // The message takes at most the space between two questions.
    expect((await below(message)) + line).toBeLessThanOrEqual(height + 24);
    expect(await below(next)).toBeCloseTo(before, 0);
    expect(before).toBeGreaterThan(height + 24);
    expect(await findBarriers(visit.page)).toEqual([]);
    await visit.country().blur();
    await waitForValue(() => visit.country().inputValue(), "");
  });

  test("are chosen by keyboard alone, and Escape leaves the previous choice unchanged", async () => {
    const visit = await openEnquiry(site);
    await visit.country().focus();
    await visit.page.keyboard.press("ArrowDown");
    await visit.page.getByRole("listbox").waitFor();
    await visit.page.keyboard.press("ArrowDown");
    await visit.page.keyboard.press("Enter");
    await waitForValue(() => visit.country().inputValue(), "Åland Islands");
    await visit.page.keyboard.type("fra");
    await visit.option(/^France/).waitFor();
    await visit.page.keyboard.press("Escape");
    await waitForValue(() => visit.page.getByRole("listbox").count(), 0);
    await waitForValue(() => visit.country().inputValue(), "Åland Islands");

    await visit.country().fill("");
    const word = await beginComposition(visit.page, "fra");
    await visit.option(/^France/).waitFor();
    for (const key of ["Enter", "ArrowDown", "Escape"]) await word.press(key);
    await waitUntilStable(visit.page);
    expect(await visit.country().inputValue()).toBe("fra");
    expect(await visit.page.getByRole("listbox").count()).toBe(1);
    await word.end();
    expect(await visit.country().inputValue()).toBe("fra");
    await visit.page.keyboard.press("Enter");
    await waitForValue(() => visit.country().inputValue(), "France");
    expect(visit.page.problems()).toEqual([]);
  });
});
