/** The enquiry form with scripts, its countries and phone numbers (spec section 5). */
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { axe } from "../support/axe.ts";
import { closeBrowser, newPage, type PageOptions, type TestPage } from "../support/browser.ts";
import { byId, EVERY_KIND, type MadeForm, onlyForm } from "../support/enquiryForm.ts";
import { EnquiryVisit } from "../support/enquiryVisit.ts";
import { type Executable, startExecutable } from "../support/executable.ts";

setDefaultTimeout(60_000);

let site: Executable;
let form: MadeForm;
let page: TestPage;
let visit: EnquiryVisit;
beforeAll(async () => {
  site = await startExecutable({ RATE_LIMIT: "off" });
  form = await onlyForm(site, EVERY_KIND);
});
afterEach(async () => page.context().close());
afterAll(async () => {
  await closeBrowser();
  await site.stop();
});

async function openForm(options: PageOptions = {}): Promise<void> {
  page = await newPage(options);
  visit = new EnquiryVisit(page);
  await page.goto(`${site.url}/coaching`);
  await visit.alive();
}

describe("countries", () => {
  test("are found by fuzzy search, with flag, name and code", async () => {
    await openForm();
    await visit.country().fill("germny");
    const germany = visit.option(/^Germany/);
    await germany.waitFor();
    expect(await germany.innerText()).toContain("DE");
    expect(await germany.locator("img").getAttribute("src")).toStartWith("data:image/svg+xml,");
  });

  test("about 240 are offered, and No country found. is said when none fits", async () => {
    await openForm();
    await visit.country().click();
    expect(await page.getByRole("listbox").getByRole("option").count()).toBeGreaterThan(230);
    await visit.country().fill("zzzz");
    await page.getByText("No country found.").waitFor();
    expect(await axe(page)).toEqual([]);
    await visit.country().blur();
    expect(await visit.country().inputValue()).toBe("");
  });

  test("are chosen by keyboard alone; Escape leaves the choice as it was", async () => {
    await openForm();
    await visit.country().focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await visit.country().inputValue()).toBe("Åland Islands");
    await page.keyboard.type("fra");
    await visit.option(/^France/).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("listbox").count()).toBe(0);
    expect(await visit.country().inputValue()).toBe("Åland Islands");
  });

  test("flags are fetched with the list only", async () => {
    page = await newPage();
    visit = new EnquiryVisit(page);
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
    await openForm();
    expect(await visit.field("Dial prefix").inputValue()).toBe("GB");
    await visit.field(/^Mobile/).fill("7700 900123");
    await visit.goToLastStep();
    const { data } = await visit.submitted();
    expect(data).toMatchObject(byId(form, { Mobile: "+447700 900123" }));
  });

  test("take another country's prefix, chosen or typed", async () => {
    await openForm();
    await visit.field("Dial prefix").selectOption("US");
    await visit.field(/^Mobile/).fill("212 555 0100");
    await page.reload();
    await visit.alive();
    expect(await visit.field("Dial prefix").inputValue()).toBe("US");
    expect(await visit.field(/^Mobile/).inputValue()).toBe("212 555 0100");
    await visit.field(/^Mobile/).fill("+33 6 12 34 56 78");
    expect(await visit.field("Dial prefix").inputValue()).toBe("FR");
    expect(await visit.field(/^Mobile/).inputValue()).toBe("6 12 34 56 78");
  });
});
