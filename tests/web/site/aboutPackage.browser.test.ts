/** An enquiry about a package, from its button to the dashboard (specification, section 4.3). */
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { MIN_FILLING_TIME_MS } from "../../../src/schema/enquiry/answers.ts";
import { openPublicPage, type PageOptions, type TestPage } from "../../support/browser.ts";
import { openDashboard } from "../../support/dashboard.ts";
import { type CreatedForm, replaceForms } from "../../support/enquiryForm.ts";
import { expectAccessibleAtWidths } from "../../support/expectAccessible.ts";
import { isFocused } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { applyLook } from "../../support/applyLook.ts";
import { waitForValue } from "../../support/waits.ts";

const site = setUpSampleSite();
const TITLE = "Twelve <img src=x onerror=alert(1)> weeks & more";

let form: CreatedForm;
let id: string;
let other: string;
beforeAll(async () => {
  form = await replaceForms(site, [
    { title: "You", fields: [{ label: "Your name", isRequired: true }] },
    { title: "Your story", fields: [{ label: "Story" }] },
  ]);
  await site.asOwner("POST", "/api/extras", { on: ["packages"] });
  ({ id } = await site.asOwner("POST", "/api/packages", { title: TITLE }));
  ({ id: other } = await site.asOwner("POST", "/api/packages", { title: "An evening", order: 1 }));
});
beforeEach(() => site.asOwner("POST", "/api/package-settings", { place: "both" }));

const openVisit = (path: string, options: PageOptions = {}) =>
  openPublicPage(site, path, { ...options, shouldSkipFillingTime: true });
const bookButton = (page: TestPage, title = TITLE) =>
  page.locator("#packages").getByRole("link", { name: `Book: ${title}`, exact: true });
const packageNote = (page: TestPage, title = TITLE) =>
  page.locator("#enquiry").getByText(`Package: ${title}`, { exact: true });
const button = (page: TestPage, name: string) =>
  page.locator("#enquiry").getByRole("button", { name, exact: true });
const getHash = (page: TestPage) => new URL(page.url()).hash;

/** Fills in the form, and returns what was sent. */
async function submitAndReadBody(page: TestPage) {
  await page.getByLabel(/Your name/).fill("Ann");
  await button(page, "Next").click();
  await page.getByLabel("Story").fill("I want to sing.");
  site.advance(MIN_FILLING_TIME_MS);
  const request = page.waitForRequest(/\/api\/form-submissions$/);
  await button(page, "Submit").click();
  const body = (await request).postDataJSON();
  await page.getByRole("heading", { name: "Thank You!" }).waitFor();
  return body;
}
const readNewest = async () => (await site.asOwner("GET", `/api/form-submissions/${form.id}`))[0];

test("on a phone a coaching package's button leads from the home page to the form, which sends the package", async () => {
  await site.asOwner("POST", "/api/package-settings", { place: "home" });
  const page = await openVisit("/", { width: 390 });
  await bookButton(page).click();
  await page.waitForURL(/\/coaching#/);
  await packageNote(page).waitFor();
  const [line, question] = [packageNote(page), page.getByLabel(/Your name/)];
  expect((await line.boundingBox())!.y).toBeLessThan((await question.boundingBox())!.y);
  expect((await submitAndReadBody(page)).about).toBe(id);
  expect((await readNewest()).about).toBe(TITLE);
  expect(getHash(page)).toBe("#enquiry");
  expect(page.problems()).toEqual([]);
});

test("the form with the longest title of a coaching package is accessible at 320 px in a light look", async () => {
  await applyLook(site, "daylight");
  const title = "W".repeat(80);
  const long = await site.asOwner("POST", "/api/packages", { title, order: 2 });
  const page = await openVisit(`/coaching#about-${long.id}`, { width: 320 });
  await packageNote(page, title).waitFor();
  await expectAccessibleAtWidths(page, [320, 390, 1366]);
  const { x, width, height } = (await button(page, "Remove").boundingBox())!;
  expect(x + width).toBeLessThan(320);
  expect(height).toBeGreaterThanOrEqual(44);
  await site.asOwner("DELETE", `/api/packages/${long.id}`);
});

test("a click on a coaching package before hydration adds the package to the form, and Remove removes it", async () => {
  const page = await openVisit("/coaching");
  expect(await page.locator('input[name="website"]').count()).toBe(1);
  await bookButton(page).press("Enter");
  await packageNote(page).waitFor();
  await button(page, "Remove").press("Enter");
  await packageNote(page).waitFor({ state: "detached" });
  expect(getHash(page)).toBe("#enquiry");
  await waitForValue(() => isFocused(page.locator("#enquiry [data-heading]")), true);
  await bookButton(page).press("Enter");
  await packageNote(page).waitFor();
  await bookButton(page, "An evening").press("Enter");
  await packageNote(page, "An evening").waitFor();
  expect(await packageNote(page).count()).toBe(0);
  expect((await submitAndReadBody(page)).about).toBe(other);
  await bookButton(page).press("Enter");
  await packageNote(page).waitFor();
  await button(page, "Remove").click();
  await packageNote(page).waitFor({ state: "detached" });
  expect(Object.keys(await submitAndReadBody(page))).not.toContain("about");
  expect((await readNewest()).about).toBeNull();
});

test("the chosen coaching package survives the form's steps and a reload, and is stored only in the URL", async () => {
  const page = await openVisit(`/coaching#about-${id}`);
  await packageNote(page).waitFor();
  await page.getByLabel(/Your name/).fill("Ann");
  await button(page, "Next").click();
  await packageNote(page).waitFor();
  const stored = () =>
    page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  await waitForValue(async () => (await stored()).includes("limelight.enquiry"), true);
  for (const each of [id, "Twelve"]) expect(await stored()).not.toContain(each);
  expect(await page.context().cookies()).toEqual([]);
  await page.revisit();
  await packageNote(page).waitFor();
  await page.getByLabel("Story").waitFor();
});

test("an unknown coaching package in the URL is ignored", async () => {
  const page = await openVisit("/coaching#about-00000000-0000-7000-8000-000000000000");
  await page.locator(".enquiry-card").hover();
  await page.locator('input[name="website"]').waitFor({ state: "detached" });
  expect(await page.getByText("Package:").count()).toBe(0);
});

test("an opened enquiry shows its coaching package first, as escaped text", async () => {
  const data = Object.fromEntries(Object.values(form.fieldIds).map((each) => [each, "Ann"]));
  await site.visitor().post("/api/form-submissions", { formId: form.id, data, about: id });
  const { page } = await openDashboard(site, "forms", { sub: "submissions", form: form.id });
  const enquiry = page.locator(".submission").first();
  await enquiry.locator("button").first().click();
  await waitForValue(
    () => enquiry.locator("dt").allTextContents(),
    ["Package", "Your name", "Story"],
  );
  expect(await enquiry.locator("dd").first().textContent()).toBe(TITLE);
  expect(await enquiry.locator("dd img").count()).toBe(0);
});

test("without scripts a coaching package's button leads to the form, which doesn't show the package", async () => {
  const page = await openVisit(`/coaching#about-${id}`, { javaScriptEnabled: false });
  expect(Math.abs((await page.locator("#enquiry").boundingBox())!.y)).toBeLessThan(200);
  expect(await page.getByText("Package:").count()).toBe(0);
});
