/** The Submissions subtab of the dashboard (specification, section 2.18). */
import { afterEach, describe, expect, test } from "bun:test";
import { toIsoDay } from "../../../../src/web/shared/formatTimes.ts";
import { pasteLongText } from "../../../support/clipboard.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { makeForm, deleteForms, submitEnquiry } from "../../../support/enquiryForm.ts";
import { expectAccessibleAtWidths } from "../../../support/expectAccessible.ts";
import { dropRequests, holdRequests } from "../../../support/network.ts";
import { isFocused } from "../../../support/pageState.ts";
import { readCsv } from "../../../support/readCsv.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue, waitUntilStable } from "../../../support/waits.ts";

const DELETION_QUESTION =
  "Are you sure you want to delete this submission? This action cannot be undone.";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button } = dashboard;
let formId: string;
let ids: string[];
afterEach(() => deleteForms(site));

const row = (person: string) => dashboard.page.locator(".submission", { hasText: person });
const head = (person: string) => row(person).locator("button").first();

/** Creates a form with a name, an address, checkboxes and a story, and these people's answers, oldest first. */
async function addSubmissions(...people: string[]): Promise<void> {
  const made = await makeForm(site, "Work with me", [
    ["text", "Your name"],
    ["email", "Email address"],
    ["checkbox", "Times", { options: "Mornings\nEvenings" }],
    ["textarea", "Story"],
  ]);
  ({ formId, ids } = made);
  for (const name of people)
    // One after the other, since the newest comes first in the list.
    // oxlint-disable-next-line no-await-in-loop
    await submitEnquiry(site, formId, createAnswers(name));
}

function createAnswers(name: string): Record<string, string | string[]> {
  const [nameField, email, times, story] = ids as [string, string, string, string];
  return {
    [nameField]: name,
    [email]: `${name.toLowerCase().replace(/\W/g, "")}@example.com`,
    [times]: ["Mornings", "Evenings"],
    [story]: `The story of ${name}`,
  };
}

async function open(width = 1366): Promise<void> {
  await dashboard.open("forms", { width, sub: "submissions", form: formId });
  await dashboard.waitForText("in total");
}

const readStored = () => site.asOwner<any[]>("GET", `/api/form-submissions/${formId}`);
const getIds = (list: any[]) => list.map(({ id }) => id).toSorted();
const archiveFirst = async () => {
  const path = `/api/form-submissions/${(await readStored())[0].id}/status`;
  await site.asOwner("PUT", path, { status: "archived" });
};

describe("Submissions", () => {
  test("of all forms are shown first, and Change Form leads to those of a single form and back", async () => {
    await addSubmissions("Ann", "Ben");
    const other = await makeForm(site, "Another", [["text", "Your name"]]);
    await submitEnquiry(site, other.formId, { [other.ids[0]!]: "Cleo" });
    await dashboard.open("forms", { sub: "submissions", width: 390 });
    await dashboard.waitForText("3 in total");
    const names = () => dashboard.page.locator(".submission-name").allTextContents();
    await waitForValue(names, ["Cleo", "Ben", "Ann"]);
    expect(await head("Cleo").innerText()).toContain("Another");
    expect(await head("Ann").innerText()).toContain("Work with me");
    await button("Change Form").click();
    await dashboard.waitForText("Choose a form");
    await dashboard.page.getByRole("button", { name: /^Work with me/ }).click();
    await dashboard.waitForText("2 in total");
    await waitForValue(names, ["Ben", "Ann"]);
    expect(await head("Ann").innerText()).not.toContain("Work with me");
    await button("Change Form").click();
    await dashboard.page.getByRole("button", { name: "All forms" }).click();
    await dashboard.waitForText("3 in total");
    await dashboard.goTo("forms", { sub: "builder" });
    await dashboard.waitForText("Choose a form to edit");
    await dashboard.page.getByRole("button", { name: /^Work with me/ }).click();
    await dashboard.card("Form Settings").waitFor();
    await button("Change Form").click();
    await dashboard.waitForText("Choose a form to edit");
  });

  test("are opened by the link in a message, even far down the list, and are filtered by search and status", async () => {
    await addSubmissions("Ann", ...Array.from({ length: 20 }, (_, at) => `Guest ${at}`));
    const [ann] = (await readStored()).filter(({ questions }) => questions[0].answer === "Ann");
    const link = `/admin/dashboard?tab=forms&sub=submissions&form=${formId}&enquiry=${ann.id}`;
    await dashboard.open("forms", { sub: "submissions" });
    // A page that can't be read isn't requested again until the owner presses Retry.
    const further = /offset=20/;
    const restore = await dropRequests(dashboard.page, further);
    let requests = 0;
    dashboard.page.on("requestfailed", (request) => {
      if (further.test(request.url())) requests += 1;
    });
    await dashboard.page.goto(site.url + link);
    const lost = dashboard.page
      .getByRole("alert")
      .filter({ hasText: "Couldn't load this submission." });
    await lost.waitFor();
    await waitUntilStable(dashboard.page);
    expect(requests).toBe(1);
    await restore();
    await lost.getByRole("button", { name: "Retry" }).click();
    await dashboard.page.getByText("The story of Ann").last().waitFor();
    expect(await head("Ann").getAttribute("aria-expanded")).toBe("true");
    await waitForValue(() => isFocused(head("Ann")), true);

    await archiveFirst();
    await open();
    await dashboard.waitForText("Showing 1–20 of 21");
    await button("Show more").click();
    await dashboard.waitForText("Showing 1–21 of 21");
    expect(await button("Show more").count()).toBe(0);
    const people = () => dashboard.page.locator(".submission-name").allTextContents();
    await dashboard.page.getByLabel("Search names and answers").fill("story of guest 7");
    await dashboard.waitForText("Showing 1–1 of 1");
    expect(await people()).toEqual(["Guest 7"]);
    await dashboard.page.getByLabel("Search names and answers").fill("");
    await dashboard.waitForText("Showing 1–21 of 21");
    await button("Archived").click();
    await dashboard.waitForText("Showing 1–1 of 1");
    expect(await people()).toEqual(["Guest 19"]);
    await button("Reviewed").click();
    await dashboard.waitForText("No results");
  });

  test("have links to call a visitor's phone number and to WhatsApp, and links in answers send no referrer", async () => {
    const made = await makeForm(site, "Work with me", [
      ["text", "Your name"],
      ["international_phone", "Phone"],
      ["link", "Tape"],
      ["link", "Home page"],
      ["date", "From when on"],
    ]);
    const [name, phone, tape, home, day] = made.ids as [string, string, string, string, string];
    await submitEnquiry(site, made.formId, {
      [name]: "Ann",
      [phone]: "+447700900123",
      [tape]: "https://clips.example/watch?v=1",
      // The first letter of this host is Cyrillic.
      [home]: "https://\u0430pple.com/ann",
      [day]: "2027-03-14",
    });
    const plain = await makeForm(site, "Another", [["phone", "Phone"]]);
    await submitEnquiry(site, plain.formId, { [plain.ids[0]!]: "07700 900-456" });
    await dashboard.open("forms", { sub: "submissions" });
    await head("Ann").click();
    const linkOf = (person: string, words: string) =>
      row(person).getByRole("link", { name: words });
    expect(await linkOf("Ann", "Call").getAttribute("href")).toBe("tel:+447700900123");
    expect(await linkOf("Ann", "WhatsApp").getAttribute("href")).toBe(
      "https://wa.me/447700900123?text=Hi%20Ann%2C%20thank%20you%20for%20writing%20to%20me.",
    );
    expect(await linkOf("Ann", "Reply by email").count()).toBe(0);
    expect((await row("Ann").locator("dd").allTextContents()).slice(2)).toEqual([
      "https://clips.example/watch?v=1",
      "https://\u0430pple.com/ann opens xn--pple-43d.com",
      "14 March 2027",
    ]);
    const link = row("Ann").locator('dd a[href^="https://clips"]');
    expect(await link.getAttribute("href")).toBe("https://clips.example/watch?v=1");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    await head("07700").click();
    expect(await linkOf("07700", "Call").getAttribute("href")).toBe("tel:07700900456");
    expect(await linkOf("07700", "WhatsApp").count()).toBe(0);
  });

  test("show the questions as they were asked, in order, even if their fields were deleted since", async () => {
    const script = "<img src=x onerror=\"document.title='taken'\">";
    await addSubmissions("Ann", script);
    await site.asOwner("PUT", `/api/form-fields/${ids[0]}`, { label: "Stage name" });
    await site.asOwner("DELETE", `/api/form-fields/${ids[2]}`);
    await open();
    expect(await head("Ann").getAttribute("aria-expanded")).toBe("false");
    await head("Ann").click();
    const [labels, values] = [row("Ann").locator("dt"), row("Ann").locator("dd")];
    const questions = ["Your name", "Email address", "Times", "Story"];
    expect(await labels.allTextContents()).toEqual(questions);
    const answers = ["Ann", "ann@example.com", "Mornings, Evenings", "The story of Ann"];
    expect(await values.allTextContents()).toEqual(answers);
    // The link has its subject once the replies are loaded.
    const link = "mailto:ann@example.com?subject=Your%20enquiry%3A%20Work%20with%20me";
    await row("Ann").locator(`a[href="${link}"]`, { hasText: "Reply by email" }).waitFor();
    await dashboard.page.getByRole("tab", { name: /^Forms 2/ }).waitFor();
    const details = row("Ann").locator(".submission-details");
    await details.getByRole("button", { name: "Mark Reviewed" }).click();
    await dashboard.waitForToast("Submission status updated successfully");
    await head("Ann").getByText("Reviewed", { exact: true }).waitFor();
    await dashboard.page.getByRole("tab", { name: /^Forms 1/ }).waitFor();
    const [, submission] = await readStored();
    expect(dashboard.writes).toEqual([
      { call: `PUT /api/form-submissions/${submission.id}/status`, body: { status: "reviewed" } },
    ]);
    await details.getByRole("button", { name: "Mark New" }).click();
    await head("Ann").getByText("New", { exact: true }).waitFor();
    await dashboard.page.getByRole("tab", { name: /^Forms 2/ }).waitFor();
    // Script in an answer is text.
    await head("<img").click();
    expect(await row("<img").locator("dd").first().textContent()).toBe(script);
    expect(await dashboard.page.locator(".submission img").count()).toBe(0);
    expect(await dashboard.page.title()).not.toBe("taken");
    expect(dashboard.page.problems()).toEqual([]);
  });

  test("are deleted after a question, which Undo reverts, and failed changes are reported", async () => {
    await addSubmissions("Ben", "Ann");
    await archiveFirst();
    await open();
    const before = await readStored();
    const badge = head("Ann").getByText("Archived", { exact: true });
    expect(await badge.getAttribute("data-tone")).toBe("info");
    expect(await button("Mark New").count()).toBe(1);
    expect(await dashboard.page.getByRole("button", { name: /archive$/i }).count()).toBe(0);
    await dropRequests(dashboard.page, "**/status");
    await button("Mark Reviewed").click();
    await dashboard.waitForToast("Failed to update submission status");
    await dropRequests(dashboard.page, "**/api/form-submissions/*");
    dashboard.answerDialog(true);
    await button("Delete submission from Ann").click();
    await dashboard.waitForToast("Failed to delete submission");
    await row("Ann").waitFor();
    await dashboard.page.unrouteAll();
    const dialog = dashboard.answerDialog(false);
    await button("Delete submission from Ann").click();
    expect(await readStored()).toHaveLength(2);
    expect(dialog.text).toBe(DELETION_QUESTION);
    dashboard.answerDialog(true);
    await button("Delete submission from Ann").click();
    await dashboard.waitForToast("Submission deleted successfully");
    await row("Ann").waitFor({ state: "detached" });
    await dashboard.waitForText("1 in total");
    await button("Undo").click();
    await dashboard.waitForToast("Submission restored");
    await row("Ann").waitFor();
    expect(getIds(await readStored())).toEqual(getIds(before));
    await submitEnquiry(site, formId, createAnswers("Cleo"));
    await button("Refresh").click();
    await row("Cleo").waitFor();
    await dashboard.waitForText("3 in total");
    const restore = await dropRequests(dashboard.page, "**/api/form-submissions/**");
    await button("Refresh").click();
    await dashboard.waitForToast("Couldn't refresh. Check your connection and try again.");
    await restore();
  });
});

describe("Export CSV", () => {
  /** The name and the cells of an exported file; csv.test.ts checks the cells in detail. */
  async function exportCsv(name: string) {
    const coming = dashboard.page.waitForEvent("download");
    await button(name).click();
    const download = await coming;
    return { file: download.suggestedFilename(), cells: await readCsv(download) };
  }

  test("has every submission with the questions as asked or a column per question, and can be canceled", async () => {
    await addSubmissions("Ann", "=HYPERLINK(1)");
    await archiveFirst();
    await open();
    const { file, cells } = await exportCsv("Export CSV");
    await dashboard.waitForToast("Submissions exported successfully");
    expect(file).toBe(`form-submissions-${toIsoDay(new Date())}.csv`);
    const sent = (await readStored()).map(({ id, status }) => [id, status]);
    expect(cells.slice(1).map((row) => row.slice(0, 2))).toEqual(sent);
    const byQuestion = await exportCsv("Export CSV with one column per question");
    expect(byQuestion.file).toStartWith("form-answers-");
    expect(byQuestion.cells.map((row) => row[7])).toEqual(["Your name", "'=HYPERLINK(1)", "Ann"]);
    const release = await holdRequests(dashboard.page, "**/api/form-submissions/*limit=1000*");
    await button("Export CSV").click();
    await dashboard.page.getByRole("progressbar").waitFor();
    expect(await button("Export CSV").isDisabled()).toBe(true);
    await button("Cancel").click();
    await dashboard.waitForToast("Export canceled");
    await dashboard.page.getByRole("progressbar").waitFor({ state: "detached" });
    release();
  });
});

describe("following up on a submission", () => {
  const state = (person: string) => row(person).locator(".submission-state");
  const stageOf = (person: string) => row(person).getByLabel("Stage", { exact: true });

  test("a chosen stage is saved at once and shown in the submission's row, and can be undone", async () => {
    await addSubmissions("Ann", "Ben");
    await open();
    await head("Ann").click();
    await button("Mark Reviewed").last().click();
    await dashboard.waitForToast("Submission status updated successfully");
    await stageOf("Ann").focus();
    await stageOf("Ann").selectOption("Call booked");
    await dashboard.waitForToast("Saved");
    await state("Ann").getByText("Call booked").waitFor();
    expect(dashboard.getLastWrite("PUT").body).toEqual({ stage: "booked" });
    await waitForValue(() => isFocused(stageOf("Ann")), true);
    await dashboard.page.locator(".list-tools").getByLabel("Stage").selectOption("Call booked");
    await waitForValue(() => dashboard.page.locator(".submission").count(), 1);
    await dashboard.page.locator(".list-tools").getByLabel("Stage").selectOption("Inbox");
    await row("Ben").waitFor();
    expect(await row("Ann").count()).toBe(0);
    await dashboard.page.locator(".list-tools").getByLabel("Stage").selectOption("All stages");
    await button("Undo").click();
    await state("Ann").getByText("Reviewed").waitFor();
  });

  test("due reminders of all forms are listed in Today until they are done or postponed", async () => {
    await addSubmissions(`W${"i".repeat(200)}`, "Ann");
    const [ann] = await readStored();
    const today = toIsoDay(new Date());
    await site.asOwner("PUT", `/api/form-submissions/${ann.id}/progress`, { remindOn: today });
    await site.asOwner("POST", `/api/form-submissions/${ann.id}/notes`, { text: "Send the plan." });
    await makeForm(site, "Another");
    await dashboard.open("forms", { sub: "submissions", width: 390 });
    await head("Wii").click();
    const card = dashboard.card("Today");
    await card.getByText('"Send the plan." · due today').waitFor();
    await dashboard.page.getByText("follow-ups due today").waitFor({ state: "attached" });
    await card.getByRole("button", { name: "Open" }).click();
    await dashboard.page.getByText("The story of Ann").last().waitFor();
    await expectAccessibleAtWidths(dashboard.page);
    await card.getByRole("button", { name: "Remind me tomorrow" }).click();
    await card.waitFor({ state: "detached" });
    await button("Undo").click();
    await card.getByRole("button", { name: "Done" }).click();
    await card.waitFor({ state: "detached" });
    await waitForValue(async () => (await readStored())[0].remindOn, null);
  });

  test("a stage that was refused because of too many requests stays on the device, and is sent by Retry", async () => {
    await addSubmissions("Ann");
    await open(1366);
    await head("Ann").click();
    const { page } = dashboard;
    await page.route("**/progress", (route) => route.fulfill({ status: 429, json: {} }));
    await stageOf("Ann").selectOption("Client");
    await row("Ann").getByText("Not saved yet. It's stored on this device.").waitFor();
    await page.unroute("**/progress");
    await row("Ann").getByRole("button", { name: "Retry" }).click();
    await waitForValue(async () => (await readStored())[0].stage, "client");
  });

  test("a reminder can be set, and a note added while offline stays on the device and is later saved once", async () => {
    await addSubmissions("Ann");
    await open(390);
    await head("Ann").click();
    const { page } = dashboard;
    const menu = row("Ann").getByLabel("Remind me");
    expect(await menu.locator("option").allTextContents()).toEqual([
      "Tomorrow",
      "In 3 days",
      "In 1 week",
      "Choose a date",
      "No reminder",
    ]);
    expect(await menu.inputValue()).toBe("");
    await menu.selectOption("Choose a date");
    await row("Ann").getByLabel("Choose a date").fill("2027-03-14");
    await row("Ann").getByLabel("Choose a date").blur();
    await waitForValue(async () => (await readStored())[0].remindOn, "2027-03-14");
    await row("Ann").getByText("Sun 14 Mar").waitFor({ state: "attached" });
    const note = dashboard.field("Add a note (visitors can't see it)");
    const tooLong = await pasteLongText(note, 2998);
    await dashboard.waitForText("2998 / 2000");
    await dashboard.waitForText("Use at most 2,000 characters.");
    expect(await note.getAttribute("aria-invalid")).toBe("true");
    await button("Add note").click();
    await dashboard.waitForText("A note can have at most 2,000 characters.");
    expect(await note.inputValue()).toBe(tooLong);
    await page.context().setOffline(true);
    await stageOf("Ann").selectOption("Client");
    await row("Ann").getByText("Not saved yet. It's stored on this device.").waitFor();
    await note.fill("Plays the viola.");
    await button("Add note").click();
    await dashboard.waitForToast("Couldn't add the note. It's stored on this device.");
    expect((await readStored())[0]).toMatchObject({ stage: "", notes: [] });
    await page.context().setOffline(false);
    await waitForValue(async () => (await readStored())[0].stage, "client");
    await button("Add note").click();
    await row("Ann").locator(".notes li").getByText("Plays the viola.").waitFor();
    expect((await readStored())[0].notes).toHaveLength(1);
    expect(await note.inputValue()).toBe("");
    await row("Ann")
      .getByRole("button", { name: /^Delete note from today, / })
      .click();
    await row("Ann").locator(".notes li").waitFor({ state: "detached" });
    await button("Undo").click();
    await row("Ann").locator(".notes li").getByText("Plays the viola.").waitFor();
  });
});
