/** The enquiry form with scripts, as a visitor fills it in (spec sections 4, 5, 7 and 8). */
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
import {
  closeBrowser,
  newPage,
  type PageOptions,
  type TestPage,
  WIDTHS,
} from "../support/browser.ts";
import { EVERY_KIND, type MadeForm, onlyForm } from "../support/enquiryForm.ts";
import { type Executable, startExecutable } from "../support/executable.ts";

setDefaultTimeout(60_000);

const CALL = "**/api/form-submissions";

let site: Executable;
let form: MadeForm;
let page: TestPage;
beforeAll(async () => {
  site = await startExecutable({ RATE_LIMIT: "off" });
  form = await onlyForm(site, EVERY_KIND);
});
afterEach(async () => page.context().close());
afterAll(async () => {
  await closeBrowser();
  await site.stop();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (label: string | RegExp) => page.locator("#enquiry").getByLabel(label);
const country = () => page.getByRole("combobox", { name: /^Country \(required\)/ });
const option = (name: RegExp) => page.getByRole("listbox").getByRole("option", { name });
const toast = () => page.locator(".ui-toast");
const step = (count: string) => page.getByText(`Step ${count}`, { exact: true });
const focused = (of: ReturnType<typeof button>) =>
  of.evaluate((each) => each === document.activeElement);

async function openForm(options: PageOptions = {}): Promise<void> {
  page = await newPage(options);
  await page.goto(`${site.url}/coaching`);
  await alive();
}

/** The field for robots goes when the script has taken over. */
const alive = () => page.locator('input[name="website"]').waitFor({ state: "detached" });

async function fillFirstStep(name = "Ann"): Promise<void> {
  await field(/Your name/).fill(name);
  await field(/^Email/).fill("ann@example.com");
  await country().fill("united king");
  await option(/^United Kingdom/).click();
}

async function goToLastStep(): Promise<void> {
  await fillFirstStep();
  await button("Next").click();
  await field("Story").fill("I want to sing.");
  await button("Next").click();
  await field(/Goal/).selectOption("Sing");
  await field("Online").check();
  await field("Mornings").check();
  await field("Evenings").check();
}

async function submitted(): Promise<Record<string, unknown>> {
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/form-submissions"));
  await button("Submit").click();
  return (await sent).postDataJSON();
}

async function newest(): Promise<Record<string, unknown>> {
  const [first] = await site.asOwner("GET", `/api/form-submissions/${form.id}`);
  return JSON.parse(first.submissionData);
}

const answers = (given: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(given).map(([label, answer]) => [form.fieldIds[label], answer]),
  );

for (const width of WIDTHS) {
  test(`at ${width} pixels the form is walked step by step, sent and thanked for`, async () => {
    await openForm({ width });
    await step("1 of 3").waitFor();
    expect(await button("Previous").count()).toBe(0);
    expect(await page.getByText("Hidden question").count()).toBe(0);
    expect(await axe(page)).toEqual([]);

    await button("Next").click();
    await toast().getByText("Validation Error").waitFor();
    await toast().getByText("Your name is required").waitFor();
    await step("1 of 3").waitFor();
    expect(await field(/Your name/).getAttribute("aria-invalid")).toBe("true");
    expect(await focused(field(/Your name/))).toBe(true);
    expect(await field(/^Email/).getAttribute("aria-invalid")).toBeNull();
    expect(await axe(page)).toEqual([]);

    await fillFirstStep();
    await button("Next").click();
    await step("2 of 3").waitFor();
    expect(await focused(page.getByRole("heading", { name: "Your story" }))).toBe(true);
    await field("Story").fill("Back and forth");
    await button("Previous").click();
    await step("1 of 3").waitFor();
    expect(await field(/Your name/).inputValue()).toBe("Ann");
    expect(await country().inputValue()).toBe("United Kingdom");
    await button("Next").click();
    expect(await field("Story").inputValue()).toBe("Back and forth");
    await button("Next").click();
    await field(/Goal/).selectOption("Dance");
    await field("In person").check();
    await field("Evenings").check();
    expect(await axe(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);

    await button("Submit").click();
    await page.getByRole("heading", { name: "Thank You!" }).waitFor();
    const thanks = "Your form has been submitted successfully. We'll be in touch soon!";
    await page.getByText(thanks).waitFor();
    expect(await newest()).toEqual(
      answers({
        "Your name": "Ann",
        Email: "ann@example.com",
        Country: "United Kingdom",
        Story: "Back and forth",
        Goal: "Dance",
        Where: "In person",
        When: ["Evenings"],
      }),
    );
    await button("Submit Another Response").click();
    await step("1 of 3").waitFor();
    expect(await field(/Your name/).inputValue()).toBe("");
    expect(page.problems()).toEqual([]);
  });
}

test("the body is formId, data and submittedAt, with lists for checkboxes", async () => {
  await openForm();
  await goToLastStep();
  await field("Sessions").fill("3");
  await field("Landline").fill("020 7946 0000");
  const { formId, data, submittedAt, ...more } = await submitted();
  expect(more).toEqual({});
  expect(formId).toBe(form.id);
  expect(new Date(submittedAt as string).toISOString()).toBe(submittedAt as string);
  expect(data).toEqual(
    answers({
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
  await page.getByRole("heading", { name: "Thank You!" }).waitFor();
});

describe("required questions", () => {
  test("show (required) beside the label when the step has more than one active field", async () => {
    await openForm();
    expect(await page.locator("label", { hasText: "Your name" }).innerText()).toContain(
      "(required)",
    );
    expect(await page.locator("label", { hasText: "Mobile" }).innerText()).not.toContain(
      "required",
    );
    expect(await page.locator(".question-required").count()).toBe(0);
  });

  test("show a centred required line when it has one", async () => {
    await openForm();
    await fillFirstStep();
    await button("Next").click();
    const line = page.locator(".question-required");
    await line.waitFor();
    expect(await line.evaluate((each) => getComputedStyle(each).textAlign)).toBe("center");
    expect(await page.locator("label", { hasText: "Story" }).innerText()).toBe("Story");
  });

  test("are non-empty once trimmed, and only the first missing one is reported", async () => {
    await openForm();
    await field(/Your name/).fill("   ");
    await button("Next").click();
    await toast().getByText("Your name is required").waitFor();
    await field(/Your name/).fill("Ann");
    await button("Next").click();
    await toast().getByText("Email is required").waitFor();
    expect(await toast().count()).toBe(1);
    expect(await page.locator("[aria-invalid]").count()).toBe(1);
  });
});

describe("countries", () => {
  test("are found by fuzzy search, with flag, name and code", async () => {
    await openForm();
    await country().fill("germny");
    const germany = option(/^Germany/);
    await germany.waitFor();
    expect(await germany.innerText()).toContain("DE");
    expect(await germany.locator("img").getAttribute("src")).toStartWith("data:image/svg+xml,");
  });

  test("about 240 are offered, and No country found. is said when none fits", async () => {
    await openForm();
    await country().click();
    expect(await page.getByRole("listbox").getByRole("option").count()).toBeGreaterThan(230);
    await country().fill("zzzz");
    await page.getByText("No country found.").waitFor();
    expect(await axe(page)).toEqual([]);
    await country().blur();
    expect(await country().inputValue()).toBe("");
  });

  test("are chosen by keyboard alone; Escape leaves the choice as it was", async () => {
    await openForm();
    await country().focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await country().inputValue()).toBe("Åland Islands");
    await page.keyboard.type("fra");
    await option(/^France/).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("listbox").count()).toBe(0);
    expect(await country().inputValue()).toBe("Åland Islands");
  });

  test("flags are fetched with the list only", async () => {
    page = await newPage();
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(request.url()));
    await page.goto(`${site.url}/coaching`);
    await alive();
    expect(fetched.filter((url) => url.includes("countrySearch"))).toEqual([]);
    await Promise.all([page.waitForRequest(/countrySearch/), country().click()]);
  });
});

describe("international phones", () => {
  test("are the dial prefix joined to the typed number, the United Kingdom's by default", async () => {
    await openForm();
    expect(await field("Dial prefix").inputValue()).toBe("GB");
    await field(/^Mobile/).fill("7700 900123");
    await goToLastStep();
    const { data } = await submitted();
    expect(data).toMatchObject(answers({ Mobile: "+447700 900123" }));
  });

  test("take another country's prefix, chosen or typed", async () => {
    await openForm();
    await field("Dial prefix").selectOption("US");
    await field(/^Mobile/).fill("212 555 0100");
    await page.reload();
    await alive();
    expect(await field("Dial prefix").inputValue()).toBe("US");
    expect(await field(/^Mobile/).inputValue()).toBe("212 555 0100");
    await field(/^Mobile/).fill("+33 6 12 34 56 78");
    expect(await field("Dial prefix").inputValue()).toBe("FR");
    expect(await field(/^Mobile/).inputValue()).toBe("6 12 34 56 78");
  });
});

describe("sending", () => {
  test("Submit reads Submitting... while pending and is disabled", async () => {
    await openForm();
    await goToLastStep();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(CALL, async (route) => {
      await promise;
      await route.continue();
    });
    await button("Submit").click();
    await button("Submitting...").waitFor();
    expect(await button("Submitting...").isDisabled()).toBe(true);
    resolve();
    await page.getByRole("heading", { name: "Thank You!" }).waitFor();
  });

  test("a failure is said in the fallback words and keeps every answer", async () => {
    await openForm();
    await goToLastStep();
    await page.route(CALL, (route) => route.abort());
    await button("Submit").click();
    await toast().getByText("Error", { exact: true }).waitFor();
    await toast().getByText("Failed to submit form. Please try again.").waitFor();
    expect(await field(/Goal/).inputValue()).toBe("Sing");
    await page.reload();
    await step("3 of 3").waitFor();
    expect(await field("Mornings").isChecked()).toBe(true);
    await button("Previous").click();
    expect(await field("Story").inputValue()).toBe("I want to sing.");
    await page.unroute(CALL);
    await button("Next").click();
    await button("Submit").click();
    await page.getByRole("heading", { name: "Thank You!" }).waitFor();
  });

  test("a refusal is said in the server's words, at the answer to put right", async () => {
    await openForm();
    await goToLastStep();
    await button("Previous").click();
    await button("Previous").click();
    await field(/^Email/).fill("nonsense");
    await button("Next").click();
    await button("Next").click();
    await button("Submit").click();
    await toast().getByText("Error", { exact: true }).waitFor();
    await step("1 of 3").waitFor();
    expect(await focused(field(/^Email/))).toBe(true);
    expect(await field(/^Email/).getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator(".question-error").innerText()).not.toBe("");
    expect(page.problems(/status of 422/)).toEqual([]);
  });
});

describe("a draft", () => {
  test("brings answers and step back over a reload, and goes when the form was sent", async () => {
    await openForm();
    await fillFirstStep("Draft Ann");
    await button("Next").click();
    await field("Story").fill("Half a story");
    await page.reload();
    await step("2 of 3").waitFor();
    expect(await field("Story").inputValue()).toBe("Half a story");
    await button("Previous").click();
    expect(await field(/Your name/).inputValue()).toBe("Draft Ann");
    expect(await country().inputValue()).toBe("United Kingdom");
    await button("Next").click();
    await button("Next").click();
    await field(/Goal/).selectOption("Sing");
    await field("Online").check();
    await field("Mornings").check();
    await button("Submit").click();
    await page.getByRole("heading", { name: "Thank You!" }).waitFor();
    const kept = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    expect(kept).not.toContain("limelight");
    expect(kept).not.toContain("Draft Ann");
  });

  test("is never older than a day", async () => {
    await openForm();
    await field(/Your name/).fill("Yesterday");
    await page.evaluate(() => {
      const key = Object.keys(sessionStorage).find((each) => each.startsWith("limelight"))!;
      const kept = JSON.parse(sessionStorage.getItem(key)!);
      sessionStorage.setItem(key, JSON.stringify({ ...kept, savedAt: Date.now() - 86_400_001 }));
    });
    await page.reload();
    await alive();
    expect(await field(/Your name/).inputValue()).toBe("");
  });
});

test("what was typed before the script came is kept", async () => {
  page = await newPage();
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/entry-client*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${site.url}/coaching`, { waitUntil: "commit" });
  await field(/Your name/).fill("Early Ann");
  resolve();
  await alive();
  expect(await field(/Your name/).inputValue()).toBe("Early Ann");
  await field(/^Email/).fill("ann@example.com");
  expect(await field(/Your name/).inputValue()).toBe("Early Ann");
});

test("the whole form works by keyboard alone", async () => {
  await openForm();
  const type = async (label: RegExp | string, text: string) => {
    await tabTo(field(label));
    await page.keyboard.type(text);
  };
  await type(/Your name/, "Key Ann");
  await type(/^Email/, "key@example.com");
  await tabTo(country());
  await page.keyboard.type("kingdom");
  await option(/^United Kingdom/).waitFor();
  await page.keyboard.press("Enter");
  await tabTo(button("Next"));
  await page.keyboard.press("Enter");
  await step("2 of 3").waitFor();
  await type("Story", "Typed");
  await tabTo(button("Next"));
  await page.keyboard.press("Space");
  await tabTo(field(/Goal/));
  await page.keyboard.press("s");
  await tabTo(field("Online"));
  await page.keyboard.press("Space");
  await tabTo(field("Mornings"));
  await page.keyboard.press("Space");
  await tabTo(field("Sessions"));
  await page.keyboard.type("2");
  // Enter in a line goes forward, never back to Previous.
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Thank You!" }).waitFor();
  expect(await newest()).toMatchObject(answers({ "Your name": "Key Ann", Sessions: "2" }));
});

async function tabTo(target: ReturnType<typeof button>): Promise<void> {
  for (let times = 0; times < 40 && !(await focused(target)); times += 1) {
    await page.keyboard.press("Tab");
  }
  expect(await focused(target)).toBe(true);
}

test("Loading form... is shown while fields load on the way from another page", async () => {
  page = await newPage();
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/api/form-fields/**", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${site.url}/privacy-policy`, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "Coaching" }).first().click();
  await page.getByText("Loading form...").waitFor();
  resolve();
  await country().waitFor();
  expect(page.problems()).toEqual([]);
});

describe("other forms", () => {
  afterAll(async () => {
    form = await onlyForm(site, EVERY_KIND);
  });

  test("No active steps found in this form. is said when there is none", async () => {
    await onlyForm(site, [{ title: "Asleep", isActive: false, fields: [{ label: "Name" }] }]);
    await openForm();
    await page.getByText("No active steps found in this form.").waitFor();
  });

  test("the form's thank-you message is shown, then its redirect followed", async () => {
    const settings = { thankYouMessage: "Ta, speak soon.", redirectUrl: "/privacy-policy" };
    await onlyForm(site, [{ title: "One", fields: [{ label: "Story" }] }], settings);
    await openForm();
    await button("Submit").click();
    await page.getByText("Ta, speak soon.").waitFor();
    await page.waitForURL("**/privacy-policy");
  });

  test("without an active form there is none on the page", async () => {
    await onlyForm(site, [{ title: "One", fields: [{ label: "Story" }] }], { isActive: false });
    page = await newPage();
    await page.goto(`${site.url}/coaching`, { waitUntil: "networkidle" });
    expect(await page.locator("#enquiry").count()).toBe(0);
    expect(page.problems()).toEqual([]);
  });
});
