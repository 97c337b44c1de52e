/** A site on plain http in a local network, where browsers offer less than in a secure context. */
import { expect, test } from "bun:test";
import { newPage, type TestPage } from "../../../support/browser.ts";
import { createFinders } from "../../../support/dashboard.ts";
import { makeForm, submitEnquiry } from "../../../support/enquiryForm.ts";
import { openEnquiry } from "../../../support/enquiryVisit.ts";
import { OWNER } from "../../../support/site.ts";
import { setUpBrowserSite, UNLIMITED } from "../../../support/browserSite.ts";
import { startSite } from "../../../support/startSite.ts";
import { recordToasts, waitForToast } from "../../../support/toasts.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpBrowserSite(() => startSite({ env: { ...UNLIMITED, PLAIN_LOGIN: "on" } }));
/** A name ending in .example, which the tests' browsers resolve to this machine. */
const getPlainSite = () => ({
  url: `http://nas.example:${new URL(site.url).port}`,
  advance: site.advance,
});

let page: TestPage;
const { button, field } = createFinders(() => page);

/** The site's own address differs from the requested one, and one header is for secure contexts only. */
const EXPECTED_PROBLEMS = /^foreign request: http:\/\/nas\.example|Cross-Origin-Opener-Policy|401/;

const addSubmission = async () => {
  const { formId, ids } = await makeForm(site, "Work with me", [["text", "Your name"]]);
  await submitEnquiry(site, formId, { [ids[0]!]: "Ann" });
  return formId;
};

test("over unencrypted HTTP an owner's note is added to an enquiry only once", async () => {
  const formId = await addSubmission();
  page = await newPage();
  recordToasts(page);
  await page.goto(`${getPlainSite().url}/admin/login`);
  await page.getByLabel("Username or email").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await button("Login").click();
  await page.waitForURL(/\/admin\/dashboard/);
  await page.goto(`${getPlainSite().url}/admin/dashboard?tab=forms&sub=submissions&form=${formId}`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await page.locator(".submission-head").first().click();
  await field("Add a note (visitors can't see it)").fill("Plays the viola.");
  await button("Add note").click();
  await waitForToast(page, "Note added");
  await page.locator(".notes li").getByText("Plays the viola.").waitFor();
  const [{ notes }] = await site.asOwner("GET", `/api/form-submissions/${formId}`);
  expect(notes).toHaveLength(1);
  expect(notes[0].id).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(page.problems(EXPECTED_PROBLEMS)).toEqual([]);
});

test("over unencrypted HTTP a visitor's enquiry is stored", async () => {
  const formId = await addSubmission();
  const visit = await openEnquiry(getPlainSite());
  expect(await visit.page.evaluate(() => isSecureContext)).toBe(false);
  await visit.field("Your name").fill("Bo");
  await visit.button("Submit").click();
  await visit.thanks().waitFor();
  const stored = () => site.asOwner<unknown[]>("GET", `/api/form-submissions/${formId}`);
  await waitForValue(async () => (await stored()).length, 1);
  expect(visit.page.problems(EXPECTED_PROBLEMS)).toEqual([]);
});
