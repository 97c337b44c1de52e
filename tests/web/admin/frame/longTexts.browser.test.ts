/** A text over its limit stays complete, is counted, and is refused with a message (specification, section 5.2). */
import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { newPage } from "../../../support/browser.ts";
import { pasteInto } from "../../../support/clipboard.ts";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { makeForm, submit } from "../../../support/enquiryForm.ts";
import { toastOf } from "../../../support/pageState.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, field, shows } = dashboard;

/** Pastes a text of this length that ends with its length, and returns it. */
async function pasteLong(input: Locator, length: number): Promise<string> {
  const text = `${"x".repeat(length - 8)} THE END`;
  await input.fill("");
  await input.click();
  await pasteInto(input.page(), { "text/plain": text });
  await eventually(() => input.inputValue(), text);
  return text;
}

test("a note", async () => {
  const { formId, ids } = await makeForm(site, "Work with me", [["text", "Your name"]]);
  await submit(site, formId, { [ids[0]!]: "Ann" });
  await dashboard.open("forms", { sub: "submissions", form: formId });
  await dashboard.page.locator(".submission-head").first().click();
  const note = field("Add a note (visitors can't see it)");
  const text = await pasteLong(note, 2998);
  await shows("2998 / 2000");
  await shows("Use at most 2,000 characters.");
  expect(await note.getAttribute("aria-invalid")).toBe("true");
  await button("Add note").click();
  await shows("A note can have at most 2,000 characters.");
  expect(await note.inputValue()).toBe(text);
  const [{ notes }] = await site.asOwner("GET", `/api/form-submissions/${formId}`);
  expect(notes).toEqual([]);
  await note.fill("Plays the viola.");
  await button("Add note").click();
  await dashboard.toast("Note added");
});

test("a name on the mailing list", async () => {
  const content = "<p>A life on the stage.</p>".repeat(60);
  await site.asOwner("POST", "/api/about", { title: "ABOUT", content });
  const page = await newPage({ toastsStay: true });
  await page.goto(site.url);
  await page.evaluate(() => window.scrollTo({ top: innerHeight, behavior: "instant" }));
  await page.getByRole("button", { name: "UPDATES" }).click();
  await page.getByLabel("Email Address *").fill("ann@example.com");
  const name = page.getByLabel("First Name (optional)");
  const text = await pasteLong(name, 130);
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await toastOf(page).getByText("Use at most 120 characters.").waitFor();
  expect(await name.inputValue()).toBe(text);
  expect(await site.asOwner("GET", "/api/email-subscriptions")).toEqual([]);
});
