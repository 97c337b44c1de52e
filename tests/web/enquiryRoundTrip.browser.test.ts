/** From one end to the other: the owner builds a form, a visitor sends it, the owner reads and exports it. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { newPage, type TestPage } from "../support/browser.ts";
import { type Dashboard, openDashboard } from "../support/dashboard.ts";
import { readCsv } from "../support/readCsv.ts";
import { emptySite } from "../support/siteInBrowser.ts";
import { wake } from "../support/wake.ts";

setDefaultTimeout(120_000);

const SCRIPT = "<img src=x onerror=\"document.title='taken'\">";
const FORMULA = '=HYPERLINK("https://example.com","Click")';

/** What the owner asks and what the visitor answers, step by step. */
const STEPS = [
  [
    { type: "text", label: "Your name", required: true, answer: SCRIPT },
    { type: "email", label: "Email address", required: true, answer: "ann@example.com" },
    { type: "phone", label: "Phone at home", answer: "020 7946 0123" },
    {
      type: "international_phone",
      label: "Mobile",
      answer: "7700 900123",
      stored: "+447700 900123",
    },
    { type: "country", label: "Where do you live?", answer: "New Zealand" },
  ],
  [
    { type: "textarea", label: "Your story", answer: "First line\nsecond, with a comma" },
    { type: "select", label: "Goal", options: "Strength\nBalance", answer: "Balance" },
    { type: "radio", label: "Place", options: "Online\nStudio", answer: "Studio" },
    {
      type: "checkbox",
      label: "Times",
      options: "Mornings\nNoon\nEvenings",
      answer: ["Mornings", "Evenings"],
      stored: "Mornings, Evenings",
    },
    { type: "number", label: "Sessions", answer: "3" },
  ],
] as const;

type Asked = {
  readonly type: string;
  readonly label: string;
  readonly required?: boolean;
  readonly options?: string;
  readonly answer: string | readonly string[];
  readonly stored?: string;
};
const QUESTIONS: readonly Asked[] = STEPS.flat();
const storedOf = ({ answer, stored }: Asked) => stored ?? String(answer);

const site = emptySite();

const buttonOf = (page: TestPage, name: string) => page.getByRole("button", { name, exact: true });

async function buildForm({ page, toast }: Dashboard): Promise<void> {
  await buttonOf(page, "Start empty").click();
  await toast("Form created successfully");
  for (const [at, questions] of STEPS.entries()) {
    await buttonOf(page, "Add Step").click();
    await page.getByText(`in step ${at + 1}, Step ${at + 1}`).waitFor();
    for (const question of questions) await addField(page, question);
  }
}

async function addField(page: TestPage, { type, label, required, options }: Asked): Promise<void> {
  const form = page.locator(".fields-card .row-form");
  await buttonOf(page, "Add Field").click();
  await form.getByLabel("Field Type").selectOption(type);
  await form.getByLabel("Label", { exact: true }).fill(label);
  if (required) await form.getByLabel("Required").check();
  if (options) await form.getByLabel("Options").fill(options);
  await buttonOf(page, "Save field").click();
  await form.waitFor({ state: "detached" });
}

async function answerAll(page: TestPage): Promise<void> {
  await wake(page);
  // The field for robots goes when the page is alive.
  await page.locator('input[name="website"]').waitFor({ state: "detached" });
  for (const question of STEPS[0]) await answer(page, question);
  await buttonOf(page, "Next").click();
  await page.getByText("Step 2 of 2").waitFor();
  for (const question of STEPS[1]) await answer(page, question);
}

async function answer(page: TestPage, { type, label, answer }: Asked): Promise<void> {
  const question = page.locator(".question", { hasText: label });
  if (type === "select") await question.getByRole("combobox").selectOption(String(answer));
  else if (type === "radio" || type === "checkbox")
    for (const each of [answer].flat()) await question.getByLabel(String(each)).check();
  else if (type === "country") {
    await question.getByRole("combobox").fill("new zeal");
    await page
      .getByRole("listbox")
      .getByRole("option", { name: /New Zealand/ })
      .click();
  } else await question.locator("input:not([type=hidden]), textarea").last().fill(String(answer));
}

describe("Enquiry", () => {
  test("the owner builds a form of all ten types, a visitor fills it in on a phone, the owner reads and exports it", async () => {
    const dashboard = await openDashboard(site, "forms");
    await buildForm(dashboard);

    const visitor = await newPage({ width: 390 });
    await visitor.goto(`${site.url}/coaching`);
    await answerAll(visitor);
    await buttonOf(visitor, "Submit").click();
    await visitor.getByText("Thank You!").waitFor();
    // A second one, with a formula for an answer.
    await buttonOf(visitor, "Submit Another Response").click();
    await visitor.getByLabel(/^Your name/).fill(FORMULA);
    await visitor.getByLabel(/^Email address/).fill("ben@example.com");
    await buttonOf(visitor, "Next").click();
    await buttonOf(visitor, "Submit").click();
    await visitor.getByText("Thank You!").waitFor();
    expect(visitor.problems()).toEqual([]);
    await visitor.context().close();

    const { page } = dashboard;
    await page.getByRole("tab", { name: /^Submissions/ }).click();
    // The form was edited a moment ago, so it is the one chosen.
    await buttonOf(page, "Refresh").click();
    const row = page.locator(".submission", { hasText: "ann@example.com" });
    await row.locator("button").first().click();
    expect(await row.locator("dt").allTextContents()).toEqual(QUESTIONS.map(({ label }) => label));
    expect(await row.locator("dd").allTextContents()).toEqual(QUESTIONS.map(storedOf));
    expect(await page.locator(".submission img").count()).toBe(0);

    const coming = page.waitForEvent("download");
    await buttonOf(page, "Export CSV").click();
    const [columns, ben, ann] = await readCsv(await coming);
    expect(columns).toEqual(["Submission ID", "Status", "Submitted At", "Data"]);
    expect(ann![3]).toBe(
      QUESTIONS.map((question) => `${question.label}: ${storedOf(question)}`).join("\n"),
    );
    expect(ben![3]).toBe(`Your name: ${FORMULA}\nEmail address: ben@example.com`);
    expect([ann![1], ben![1]]).toEqual(["new", "new"]);
    expect(await page.title()).not.toBe("taken");
    expect(page.problems()).toEqual([]);
    await page.context().close();
  });
});
