/**
 * Adds a kind of question as CONTRIBUTING.md says, in a copy of the source: one declaration, and every part asks it.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { closePages, newPage } from "./support/browser.ts";
import { openDashboard } from "./support/dashboard.ts";
import { makeForm } from "./support/enquiryForm.ts";
import { readCsv } from "./support/readCsv.ts";
import type { ProgramSite } from "./support/program.ts";
import { eventually } from "./support/waits.ts";
import { atTheEnd, type Copy, copySource } from "./support/walkThrough.ts";

// A build of the whole copy, also while other tests run.
setDefaultTimeout(180_000);

const KINDS = /(export const FIELD_TYPES = \[.*?)(^\] as const)/ms;
const COLOR = `  {
    value: "color",
    label: "Color",
    line: { type: "text" },
    example: { pattern: /^#[\\da-f]{6}$/i, example: "#3a86ff" },
  },
`;
const REFUSED = "Use this format: #3a86ff.";

let copy: Copy;
let site: ProgramSite;
let formId: string;
let id: string;
beforeAll(async () => {
  copy = await copySource();
  await copy.edit("src/schema/enquiry/questionKinds.ts", (text) => atTheEnd(text, KINDS, COLOR));
  site = await copy.start({ RATE_LIMIT: "off" });
  const made = await makeForm(site, "Work with me", [
    ["text", "Your favorite", { isRequired: true }],
  ]);
  formId = made.formId;
  id = made.ids[0]!;
  await site.asOwner("PUT", `/api/form-fields/${id}`, { fieldType: "color" });
});
afterAll(async () => {
  await closePages();
  await site?.stop();
  await copy?.remove();
});

const send = (answer: string) =>
  site.visitor().post("/api/form-submissions", { formId, data: { [id]: answer } });

test("the types follow from the declaration", async () => {
  await copy.checkTypes();
});

test("a kind that needs an input of its own doesn't compile without one", async () => {
  const source = "src/schema/enquiry/questionKinds.ts";
  const whole = await Bun.file(`${copy.folder}/${source}`).text();
  await copy.edit(source, (text) => text.replace(COLOR, COLOR.replace(/^.*line:.*\n/m, "")));
  const compiled = copy.checkTypes("src/web/site/enquiry/Question.tsx");
  expect(await compiled.then(String, String)).toContain("Property 'color' is missing");
  await copy.edit(source, () => whole);
});

test("the server checks an answer, and its message has an example, in the site's language", async () => {
  const refused = await send("blue");
  expect([refused.status, refused.body.fields]).toEqual([422, { [id]: REFUSED }]);
  expect((await send("")).body.fields).toEqual({ [id]: "Your favorite is required" });
  await site.asOwner("POST", "/api/site", { language: "de" });
  const page = await newPage({ width: 390 });
  await page.visit(`${site.url}/coaching`);
  await page.getByLabel("Your favorite").fill("blue");
  await page.getByRole("button", { name: "Absenden" }).click();
  await page.locator(".question-error", { hasText: "Geben Sie es so ein: #3a86ff." }).waitFor();
  await site.asOwner("POST", "/api/site", { language: "en" });
});

test("a visitor answers the new kind of question on the page, and the owner reads and exports the answer", async () => {
  const visitor = await newPage({ width: 390 });
  await visitor.visit(`${site.url}/coaching`);
  await visitor.getByLabel("Your favorite").fill("blue");
  await visitor.getByRole("button", { name: "Submit" }).click();
  await visitor.locator(".question-error", { hasText: REFUSED }).waitFor();
  await visitor.getByLabel("Your favorite").fill("#FFAA00");
  await visitor.getByRole("button", { name: "Submit" }).click();
  const stored = async () => (await site.asOwner("GET", "/api/form-submissions"))[0]?.questions;
  await eventually(stored, [{ id, label: "Your favorite", type: "color", answer: "#FFAA00" }]);

  const { page } = await openDashboard(site, "forms", { sub: "submissions", form: formId });
  await page.locator(".submission-head").click();
  await page.locator("dd", { hasText: "#FFAA00" }).waitFor();
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV with one column per question" }).click();
  const [head, row] = await readCsv(await coming);
  expect(row![head!.indexOf("Your favorite")]).toBe("#FFAA00");
});

test("the form builder offers the new kind of question by its name", async () => {
  const { page } = await openDashboard(site, "forms", { sub: "builder", form: formId });
  await page.getByText("Color · Required").waitFor();
  await page.getByRole("button", { name: "Edit Your favorite" }).click();
  const offered = page.getByLabel("Field Type").locator("option");
  expect(await offered.allTextContents()).toContain("Color");
});
