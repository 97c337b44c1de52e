/** The page of a form with an address of its own, and what a form asks with a day, a link and a consent. */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { LEAST_FILLING_MS } from "../../../src/schema/questions.ts";
import { axe } from "../../support/axe.ts";
import { closePages, newPage } from "../../support/browser.ts";
import { type MadeForm, onlyForm } from "../../support/enquiryForm.ts";
import { EnquiryVisit } from "../../support/enquiryVisit.ts";
import { sideways } from "../../support/pageState.ts";
import { siteInBrowser, UNLIMITED } from "../../support/siteInBrowser.ts";
import { startSite } from "../../support/startSite.ts";

const site = siteInBrowser(() => startSite({ env: UNLIMITED }));
const CONSENT = "I agree that my answers are kept. More in /privacy-policy";
let form: MadeForm;

beforeAll(async () => {
  const asked = [
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
  form = await onlyForm(site, asked, { ...words, path: "book" });
});
afterEach(closePages);

async function newest(): Promise<{ label: string; answer: string }[]> {
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

describe.each([390, 1366])("at %d pixels", (width) => {
  test("a form's own page comes to life as the coaching page does, and is sent from there", async () => {
    const visit = new EnquiryVisit(await newPage({ width, toastsStay: true }));
    const { page } = visit;
    await page.goto(`${site.url}/book`);
    const heading = page.getByRole("heading", { level: 1 });
    expect(await heading.textContent()).toBe("BOOK A SHOW");
    // Below the bar, so that nothing of it is covered.
    const [bar, top] = await page
      .evaluate(() =>
        [".bar", "h1"].map((each) => document.querySelector(each)!.getBoundingClientRect()),
      )
      .then(([first, second]) => [first!.bottom, second!.top]);
    expect(top).toBeGreaterThan(bar!);
    await visit.alive();
    expect(await axe(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/book-${width}.png`, fullPage: true });
    await visit.button("Next").click();
    await visit.toast().getByText("Which day? is required").waitFor();
    await visit.field(/Which day/).fill("2027-03-14");
    await visit.field("Link to the venue").fill("venue.example");
    await visit.button("Next").click();
    await visit
      .toast()
      .getByText("Please agree to “I agree that my answers are kept. More in /privacy-policy”.")
      .waitFor();
    expect(await page.getByRole("link", { name: "/privacy-policy" }).getAttribute("href")).toBe(
      "/privacy-policy",
    );
    await visit.field(/I agree/).check();
    await visit.button("Next").click();
    await visit.toast().getByText("Enter a full address that starts with https://.").waitFor();
    await visit.field("Link to the venue").fill("https://venue.example/hall");
    await visit.button("Next").click();
    await visit.step("2 of 2").waitFor();
    await visit.field("Your name").fill("Ada");
    await visit.button("Submit").click();
    await visit.thanks().waitFor();
    expect(page.url()).toStartWith(`${site.url}/book`);
    expect(await newest()).toEqual(STORED);
  });

  test("without scripts it posts to its own path, and asks the same", async () => {
    const visit = new EnquiryVisit(await newPage({ width, javaScript: false }));
    const { page } = visit;
    await page.goto(`${site.url}/book`);
    await visit.button("Next").click();
    await page.getByText("Which day? is required").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/book");
    await visit.field(/Which day/).fill("2027-03-14");
    await visit.field("Link to the venue").fill("https://venue.example/hall");
    await visit.button("Next").click();
    await page.getByText("Please agree to").first().waitFor();
    await visit.field(/I agree/).check();
    await visit.button("Next").click();
    await visit.step("2 of 2").waitFor();
    await visit.field("Your name").fill("Ada");
    site.advance(LEAST_FILLING_MS);
    await visit.button("Submit").click();
    await visit.thanks().waitFor();
    expect(new URL(page.url()).pathname).toBe("/book");
    expect(await newest()).toEqual(STORED);
    await visit.button("Submit Another Response").click();
    await visit.step("1 of 2").waitFor();
    expect(new URL(page.url()).pathname).toBe("/book");
  });

  test("while it isn't active its address says so, with the way home", async () => {
    await site.asOwner("PUT", `/api/forms/${form.id}`, { isActive: false });
    const page = await newPage({ width });
    await page.goto(`${site.url}/book`);
    await page
      .getByRole("heading", { name: "This form isn't taking answers at the moment." })
      .waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/closed-${width}.png` });
    await page.getByRole("link", { name: "Go to the home page" }).click();
    await page.waitForURL(`${site.url}/`);
    await site.asOwner("PUT", `/api/forms/${form.id}`, { isActive: true });
  });
});
