/**
 * The enquiry form without scripts, and the page of a form with its own address (specification, sections 3.11 and
 * 4.4).
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { MIN_FILLING_TIME_MS } from "../../../src/schema/enquiry/questions.ts";
import { findBarriers } from "../../support/axe.ts";
import { newPage, type TestPage } from "../../support/browser.ts";
import { EVERY_KIND_STEPS, type CreatedForm, replaceForms } from "../../support/enquiryForm.ts";
import { openEnquiry } from "../../support/enquiryVisit.ts";
import { expectAccessibleAtWidths } from "../../support/expectAccessible.ts";
import { setUpEmptySite } from "../../support/browserSite.ts";
import { waitForValue } from "../../support/waits.ts";

const site = setUpEmptySite();
let form: CreatedForm;
let page: TestPage;
beforeAll(async () => {
  form = await replaceForms(site, EVERY_KIND_STEPS);
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (label: string | RegExp) => page.locator("#enquiry").getByLabel(label);
const step = (count: string) => page.getByText(`Step ${count}`, { exact: true });

async function openForm(): Promise<void> {
  page = await newPage({ width: 390, javaScriptEnabled: false });
  await page.goto(`${site.url}/coaching`);
}

async function fillFirstStep(): Promise<void> {
  await field(/Your name/).fill("Plain Ann");
  await field(/^Email/).fill("ann@example.com");
  await field("Country code").selectOption("FR");
  await field(/^Mobile/).fill("6 12 34 56 78");
  await field(/^Country(?! code)/).selectOption("France");
}

test("without scripts every step of the enquiry form can be answered, revisited and sent", async () => {
  await openForm();
  await step("1 of 3").waitFor();
  expect(await button("Previous").count()).toBe(0);
  // The prefix itself is shown, since the country's name would be cut off, until another is chosen.
  const prefix = page.getByText("GB +44", { exact: true });
  expect(await prefix.isVisible()).toBe(true);
  await fillFirstStep();
  expect(await prefix.isVisible()).toBe(false);
  // Enter goes forward, as Next does.
  await field(/Your name/).press("Enter");
  await step("2 of 3").waitFor();
  await field("Story").fill("Two\nlines");
  await button("Previous").click();
  expect(await field(/Your name/).inputValue()).toBe("Plain Ann");
  expect(await field("Country code").inputValue()).toBe("FR");
  expect(await page.getByText("FR +33", { exact: true }).isVisible()).toBe(true);
  expect(await field(/^Mobile/).inputValue()).toBe("6 12 34 56 78");
  expect(await field(/^Country(?! code)/).inputValue()).toBe("France");
  await button("Next").click();
  expect(await field("Story").inputValue()).toBe("Two\nlines");
  await button("Next").click();
  await field(/Goal/).selectOption("Dance");
  await field("Online").check();
  await field("Mornings").check();
  await field("Evenings").check();
  // Anyone who finishes within three seconds of the first post is taken for a robot.
  site.advance(MIN_FILLING_TIME_MS);
  await button("Submit").click();
  await page.getByRole("heading", { name: "Thank You!" }).waitFor();
  const [newest] = await site.asOwner("GET", `/api/form-submissions/${form.id}`);
  expect(JSON.parse(newest.submissionData)).toEqual({
    [form.fieldIds["Your name"]!]: "Plain Ann",
    [form.fieldIds["Email"]!]: "ann@example.com",
    [form.fieldIds["Mobile"]!]: "+336 12 34 56 78",
    [form.fieldIds["Country"]!]: "France",
    [form.fieldIds["Story"]!]: "Two\nlines",
    [form.fieldIds["Goal"]!]: "Dance",
    [form.fieldIds["Where"]!]: "Online",
    [form.fieldIds["When"]!]: ["Mornings", "Evenings"],
  });
  await button("Submit Another Response").click();
  await step("1 of 3").waitFor();
  expect(await field(/Your name/).inputValue()).toBe("");
  expect(page.problems()).toEqual([]);
});

test("the page that responds to a posted form isn't cached, and is hydrated if scripts run", async () => {
  page = await newPage();
  // The scripts aren't available until the form has been posted without them.
  let isPosted = false;
  page.on("request", (request) => (isPosted ||= request.method() === "POST"));
  await page.route("**/assets/*.js", (route) => (isPosted ? route.continue() : route.abort()));
  await page.goto(`${site.url}/coaching`);
  const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith(".js"));
  await fillFirstStep();
  await refused;
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await button("Next").click();
  expect((await answered).headers()["cache-control"]).toBe("no-store");
  await step("2 of 3").waitFor();
  await page.locator('input[name="website"]').waitFor({ state: "detached" });
  expect(await findBarriers(page)).toEqual([]);
  await button("Previous").click();
  await step("1 of 3").waitFor();
  expect(await field(/Your name/).inputValue()).toBe("Plain Ann");
  expect(await field("Country code").inputValue()).toBe("FR");
  expect(await page.getByRole("combobox", { name: /^Country(?! code)/ }).inputValue()).toBe(
    "France",
  );
  expect(page.problems(/ERR_FAILED/)).toEqual([]);
});

describe("a form with a URL of its own", () => {
  const CONSENT = "I agree that my answers are kept. More in /privacy-policy";

  beforeAll(async () => {
    const steps = [
      {
        title: "Your event",
        fields: [
          { label: "Which day?", fieldType: "date" as const, isRequired: true },
          { label: "Link to the venue", fieldType: "link" as const },
          { label: CONSENT, fieldType: "consent" as const, isRequired: true },
        ],
      },
      { title: "You", fields: [{ label: "Your name", isRequired: true }] },
    ];
    const words = { title: "BOOK A SHOW", description: "An answer within a day\nNo fee to ask" };
    form = await replaceForms(site, steps, { ...words, path: "book" });
  });

  async function readNewest(): Promise<{ label: string; answer: string }[]> {
    const [first] = await site.asOwner("GET", `/api/form-submissions/${form.id}`);
    return first.questions.map(({ label, answer }: { label: string; answer: string }) => ({
      label,
      answer,
    }));
  }

  const STORED = [
    { label: "Which day?", answer: "2027-03-14" },
    { label: "Link to the venue", answer: "https://venue.example/hall" },
    { label: CONSENT, answer: "Agreed" },
    { label: "Your name", answer: "Ada" },
  ];

  test("is hydrated on its own page as on the coaching page, and is sent from there", async () => {
    const visit = await openEnquiry(site, { width: 390 }, "/book");
    const { page } = visit;
    const heading = page.getByRole("heading", { level: 1 });
    expect(await heading.textContent()).toBe("BOOK A SHOW");
    // The title is below the bar, which covers none of it.
    const [bar, top] = await page.evaluate(() => {
      scrollTo({ top: 0, behavior: "instant" });
      const [{ bottom }, { top }] = [".bar", "h1"].map((each) =>
        document.querySelector(each)!.getBoundingClientRect(),
      ) as [DOMRect, DOMRect];
      return [bottom, top];
    });
    expect(top).toBeGreaterThan(bar!);
    await expectAccessibleAtWidths(page, [390, 1366]);
    await visit.button("Next").click();
    await visit.toast().getByText("Which day? is required").waitFor();
    await visit.field(/Which day/).fill("2027-03-14");
    await visit.field("Link to the venue").fill("no link");
    await visit.button("Next").click();
    await visit
      .toast()
      .getByText('Please agree to "I agree that my answers are kept. More in /privacy-policy".')
      .waitFor();
    expect(await page.getByRole("link", { name: "/privacy-policy" }).getAttribute("href")).toBe(
      "/privacy-policy",
    );
    await visit.field(/I agree/).check();
    await visit.button("Next").click();
    await visit.toast().getByText("Enter a full link that starts with https://.").waitFor();
    // An address without https:// gets it when its field loses focus.
    await visit.field("Link to the venue").fill("venue.example/hall");
    await visit.field("Link to the venue").blur();
    await waitForValue(
      () => visit.field("Link to the venue").inputValue(),
      "https://venue.example/hall",
    );
    await visit.button("Next").click();
    await visit.step("2 of 2").waitFor();
    await visit.field("Your name").fill("Ada");
    await visit.button("Submit").click();
    await visit.thanks().waitFor();
    expect(page.url()).toStartWith(`${site.url}/book`);
    expect(await readNewest()).toEqual(STORED);
  });
});
