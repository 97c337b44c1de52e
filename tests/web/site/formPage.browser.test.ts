/** The page of a form with an address of its own, and what a form asks with a day, a link and a consent. */
import { afterEach, beforeAll, expect, test } from "bun:test";
import { closePages, newPage } from "../../support/browser.ts";
import { type MadeForm, onlyForm } from "../../support/enquiryForm.ts";
import { expectSoundAtWidths } from "../../support/expectSound.ts";
import { openEnquiry } from "../../support/enquiryVisit.ts";
import { emptySite } from "../../support/siteInBrowser.ts";

const site = emptySite();
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

test("a form's own page comes to life as the coaching page does, and is sent from there", async () => {
  const visit = await openEnquiry(site, { width: 390 }, "/book");
  const { page } = visit;
  const heading = page.getByRole("heading", { level: 1 });
  expect(await heading.textContent()).toBe("BOOK A SHOW");
  // Below the bar, so that nothing of it is covered.
  const [bar, top] = await page.evaluate(() => {
    scrollTo({ top: 0, behavior: "instant" });
    const [{ bottom }, { top }] = [".bar", "h1"].map((each) =>
      document.querySelector(each)!.getBoundingClientRect(),
    ) as [DOMRect, DOMRect];
    return [bottom, top];
  });
  expect(top).toBeGreaterThan(bar!);
  await expectSoundAtWidths(page, [390, 1366]);
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

test("while it isn't active its address says so, with the way home", async () => {
  await site.asOwner("PUT", `/api/forms/${form.id}`, { isActive: false });
  const page = await newPage({ width: 390 });
  await page.goto(`${site.url}/book`);
  await page
    .getByRole("heading", { name: "This form isn't taking answers at the moment." })
    .waitFor();
  await expectSoundAtWidths(page, [390, 1366]);
  await page.getByRole("link", { name: "Go to the home page" }).click();
  await page.waitForURL(`${site.url}/`);
  await site.asOwner("PUT", `/api/forms/${form.id}`, { isActive: true });
});
