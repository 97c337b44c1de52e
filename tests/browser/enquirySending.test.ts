/** The enquiry form with scripts, what is sent, kept and shown afterwards (spec sections 4 and 8). */
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { closeBrowser, newPage, type PageOptions, type TestPage } from "../support/browser.ts";
import { EVERY_KIND, onlyForm } from "../support/enquiryForm.ts";
import { EnquiryVisit, isFocused } from "../support/enquiryVisit.ts";
import { type Executable, startExecutable } from "../support/executable.ts";

setDefaultTimeout(60_000);

const CALL = "**/api/form-submissions";

let site: Executable;
let page: TestPage;
let visit: EnquiryVisit;
beforeAll(async () => {
  site = await startExecutable({ RATE_LIMIT: "off" });
  await onlyForm(site, EVERY_KIND);
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

describe("sending", () => {
  test("Submit reads Submitting... while pending and is disabled", async () => {
    await openForm();
    await visit.goToLastStep();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(CALL, async (route) => {
      await promise;
      await route.continue();
    });
    await visit.button("Submit").click();
    await visit.button("Submitting...").waitFor();
    expect(await visit.button("Submitting...").isDisabled()).toBe(true);
    resolve();
    await visit.thanks().waitFor();
  });

  test("a failure is said in the fallback words and keeps every answer", async () => {
    await openForm();
    await visit.goToLastStep();
    await page.route(CALL, (route) => route.abort());
    await visit.button("Submit").click();
    await visit.toast().getByText("Error", { exact: true }).waitFor();
    await visit.toast().getByText("Failed to submit form. Please try again.").waitFor();
    expect(await visit.field(/Goal/).inputValue()).toBe("Sing");
    await page.reload();
    await visit.step("3 of 3").waitFor();
    expect(await visit.field("Mornings").isChecked()).toBe(true);
    await visit.button("Previous").click();
    expect(await visit.field("Story").inputValue()).toBe("I want to sing.");
    await page.unroute(CALL);
    await visit.button("Next").click();
    await visit.button("Submit").click();
    await visit.thanks().waitFor();
  });

  test("a refusal is said in the server's words, at the answer to put right", async () => {
    await openForm();
    await visit.goToLastStep();
    await visit.button("Previous").click();
    await visit.button("Previous").click();
    await visit.field(/^Email/).fill("nonsense");
    await visit.button("Next").click();
    await visit.button("Next").click();
    await visit.button("Submit").click();
    await visit.toast().getByText("Error", { exact: true }).waitFor();
    await visit.step("1 of 3").waitFor();
    expect(await isFocused(visit.field(/^Email/))).toBe(true);
    expect(await visit.field(/^Email/).getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator(".question-error").innerText()).not.toBe("");
    expect(page.problems(/status of 422/)).toEqual([]);
  });
});

describe("a draft", () => {
  test("brings answers and step back over a reload, and goes when the form was sent", async () => {
    await openForm();
    await visit.fillFirstStep("Draft Ann");
    await visit.button("Next").click();
    await visit.field("Story").fill("Half a story");
    await page.reload();
    await visit.step("2 of 3").waitFor();
    expect(await visit.field("Story").inputValue()).toBe("Half a story");
    await visit.button("Previous").click();
    expect(await visit.field(/Your name/).inputValue()).toBe("Draft Ann");
    expect(await visit.country().inputValue()).toBe("United Kingdom");
    await visit.button("Next").click();
    await visit.button("Next").click();
    await visit.fillLastStep();
    await visit.button("Submit").click();
    await visit.thanks().waitFor();
    const kept = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    expect(kept).not.toContain("limelight");
    expect(kept).not.toContain("Draft Ann");
  });

  test("is never older than a day", async () => {
    await openForm();
    await visit.field(/Your name/).fill("Yesterday");
    await page.evaluate(() => {
      const key = Object.keys(sessionStorage).find((each) => each.startsWith("limelight"))!;
      const kept = JSON.parse(sessionStorage.getItem(key)!);
      sessionStorage.setItem(key, JSON.stringify({ ...kept, savedAt: Date.now() - 86_400_001 }));
    });
    await page.reload();
    await visit.alive();
    expect(await visit.field(/Your name/).inputValue()).toBe("");
  });
});

test("what was typed before the script came is kept", async () => {
  page = await newPage();
  visit = new EnquiryVisit(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/entry-client*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${site.url}/coaching`, { waitUntil: "commit" });
  await visit.field(/Your name/).fill("Early Ann");
  resolve();
  await visit.alive();
  expect(await visit.field(/Your name/).inputValue()).toBe("Early Ann");
  await visit.field(/^Email/).fill("ann@example.com");
  expect(await visit.field(/Your name/).inputValue()).toBe("Early Ann");
});

test("Loading form... is shown while fields load on the way from another page", async () => {
  page = await newPage();
  visit = new EnquiryVisit(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/api/form-fields/**", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${site.url}/privacy-policy`, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "Coaching" }).first().click();
  await page.getByText("Loading form...").waitFor();
  resolve();
  await visit.country().waitFor();
  expect(page.problems()).toEqual([]);
});

describe("other forms", () => {
  test("No active steps found in this form. is said when there is none", async () => {
    await onlyForm(site, [{ title: "Asleep", isActive: false, fields: [{ label: "Name" }] }]);
    await openForm();
    await page.getByText("No active steps found in this form.").waitFor();
  });

  test("the form's thank-you message is shown, then its redirect followed", async () => {
    const settings = { thankYouMessage: "Ta, speak soon.", redirectUrl: "/privacy-policy" };
    await onlyForm(site, [{ title: "One", fields: [{ label: "Story" }] }], settings);
    await openForm();
    await visit.button("Submit").click();
    await page.getByText("Ta, speak soon.").waitFor();
    await page.waitForURL("**/privacy-policy");
  });

  test("without an active form there is none on the page", async () => {
    await onlyForm(site, [{ title: "One", fields: [{ label: "Story" }] }], { isActive: false });
    page = await newPage();
    visit = new EnquiryVisit(page);
    await page.goto(`${site.url}/coaching`, { waitUntil: "networkidle" });
    expect(await page.locator("#enquiry").count()).toBe(0);
    expect(page.problems()).toEqual([]);
  });
});
