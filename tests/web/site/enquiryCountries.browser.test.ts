/** The enquiry form with scripts, its countries and phone numbers (specification, section 5.3). */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { axe } from "../../support/axe.ts";
import { closePages, newPage } from "../../support/browser.ts";
import { byId, EVERY_KIND, type MadeForm, onlyForm } from "../../support/enquiryForm.ts";
import { EnquiryVisit, openEnquiry } from "../../support/enquiryVisit.ts";
import { emptySite } from "../../support/siteInBrowser.ts";
import { eventually } from "../../support/waits.ts";

const site = emptySite();
let form: MadeForm;
beforeAll(async () => {
  form = await onlyForm(site, EVERY_KIND);
});
afterEach(closePages);

describe("countries", () => {
  test("are found by fuzzy search, with flag, name and code", async () => {
    const visit = await openEnquiry(site);
    await visit.country().fill("germny");
    const germany = visit.option(/^Germany/);
    await germany.waitFor();
    expect(await germany.innerText()).toContain("DE");
    expect(await germany.locator("img").getAttribute("src")).toStartWith("data:image/svg+xml,");
  });

  test("about 240 are offered, and No country found. is said when none fits", async () => {
    const visit = await openEnquiry(site);
    await visit.country().click();
    await visit.option(/./).nth(230).waitFor({ state: "attached" });
    await visit.country().fill("zzzz");
    await visit.page.getByText("No country found.").waitFor();
    expect(await axe(visit.page)).toEqual([]);
    await visit.country().blur();
    await eventually(() => visit.country().inputValue(), "");
  });

  test("No country found. covers nothing, and moves nothing when it goes", async () => {
    const visit = await openEnquiry(site, { width: 390 });
    const next = visit.page.getByRole("button", { name: "Next" });
    const said = visit.page.getByText("No country found.");
    const below = async (of: Locator) =>
      (await of.boundingBox())!.y - (await visit.country().boundingBox())!.y;
    const before = await below(next);
    await visit.country().fill("zzzz");
    await said.waitFor();
    const { height } = (await visit.country().boundingBox())!;
    const line = (await said.boundingBox())!.height;
    expect(await below(said)).toBeGreaterThanOrEqual(height);
    // No more than the room between two questions.
    expect((await below(said)) + line).toBeLessThanOrEqual(height + 24);
    expect(await below(next)).toBeCloseTo(before, 0);
    expect(before).toBeGreaterThan(height + 24);
  });

  test("are chosen by keyboard alone; Escape leaves the choice as it was", async () => {
    const visit = await openEnquiry(site);
    await visit.country().focus();
    await visit.page.keyboard.press("ArrowDown");
    await visit.page.getByRole("listbox").waitFor();
    await visit.page.keyboard.press("ArrowDown");
    await visit.page.keyboard.press("Enter");
    await eventually(() => visit.country().inputValue(), "Åland Islands");
    await visit.page.keyboard.type("fra");
    await visit.option(/^France/).waitFor();
    await visit.page.keyboard.press("Escape");
    await eventually(() => visit.page.getByRole("listbox").count(), 0);
    await eventually(() => visit.country().inputValue(), "Åland Islands");
  });

  test("flags are fetched with the list only", async () => {
    const page = await newPage();
    const visit = new EnquiryVisit(page);
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(request.url()));
    await page.goto(`${site.url}/coaching`);
    await visit.alive();
    expect(fetched.filter((url) => url.includes("countrySearch"))).toEqual([]);
    await Promise.all([page.waitForRequest(/countrySearch/), visit.country().click()]);
  });
});

describe("international phones", () => {
  test("are the dial prefix joined to the typed number, the United Kingdom's by default", async () => {
    const visit = await openEnquiry(site);
    expect(await visit.field("Dial prefix").inputValue()).toBe("GB");
    // HTML allows a national number's autofill on text alone; the keyboard is a telephone's all the same.
    const number = visit.field(/^Mobile/);
    expect(
      await number.evaluate(({ type, inputMode, autocomplete }: HTMLInputElement) => [
        type,
        inputMode,
        autocomplete,
      ]),
    ).toEqual(["text", "tel", "tel-national"]);
    await number.fill("7700 900123");
    await visit.goToLastStep();
    const { data } = await visit.submitted();
    expect(data).toMatchObject(byId(form, { Mobile: "+447700 900123" }));
  });

  test("take another country's prefix, chosen or typed", async () => {
    const visit = await openEnquiry(site);
    await visit.field("Dial prefix").selectOption("US");
    await visit.field(/^Mobile/).fill("212 555 0100");
    await visit.keeps("212 555 0100");
    await visit.page.reload();
    await visit.alive();
    await eventually(() => visit.field("Dial prefix").inputValue(), "US");
    expect(await visit.field(/^Mobile/).inputValue()).toBe("212 555 0100");
    await visit.field(/^Mobile/).fill("+33 6 12 34 56 78");
    expect(await visit.field("Dial prefix").inputValue()).toBe("FR");
    expect(await visit.field(/^Mobile/).inputValue()).toBe("6 12 34 56 78");
  });
});
