/** The Email tab, and replies to an enquiry (specification, sections 2.17, 2.18 and 4.18). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { toIsoDay, formatListDate } from "../../../../src/web/shared/formatTimes.ts";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { makeForm, noForms, submit } from "../../../support/enquiryForm.ts";
import { expectSound } from "../../../support/expectSound.ts";
import type { MailServer } from "../../../support/mailServer.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { onlyItems } from "../../../support/onlyItems.ts";
import { focusedName } from "../../../support/pageState.ts";
import { readCsv } from "../../../support/readCsv.ts";
import { emptySite, siteInBrowser } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, dialog } = dashboard;
afterEach(() => onlyItems(site, "/api/email-subscriptions"));

const stored = () => site.asOwner<any[]>("GET", "/api/email-subscriptions");
const row = (email: string) => dashboard.page.locator(".subscription", { hasText: email });

async function post(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(site.url + path, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
}
const join = (email: string, name?: string) => post("/api/email-subscriptions", { email, name });
const leave = (email: string) => post("/api/email-subscriptions/unsubscribe", { email });

async function find(email: string): Promise<void> {
  await dashboard.page.getByLabel("Their email address").fill(email);
  await button("Search").click();
}

async function open(width = 1366): Promise<void> {
  await dashboard.open("email", { width });
}

describe("Email", () => {
  test("a list titled Email Subscriptions with a total count and a legend of Active and Unsubscribed, exported as a CSV named with the date; without one a destructive toast No data says No subscriptions to export", async () => {
    await open();
    await button("Export CSV").click();
    await dashboard.toast("No subscriptions to export");
    const toast = dashboard.page.locator(".ui-toast");
    expect(await toast.locator(".ui-toast-title").textContent()).toBe("No data");
    expect(await toast.getAttribute("data-destructive")).not.toBeNull();
    await join("ann@example.com", "=HYPERLINK(1)");
    await join("ben@example.com");
    await leave("ben@example.com");
    await open();
    await dashboard.page.getByRole("heading", { name: "Email Subscriptions" }).waitFor();
    await dashboard.shows("2 in total");
    const legend = dashboard.page.getByRole("list", { name: "Legend" });
    const signs = () => legend.getByRole("listitem").allTextContents();
    await eventually(signs, ["Active", "Unsubscribed"]);
    const words = () =>
      row("ann@example.com").locator(`[class^="subscription-"], .faint`).allTextContents();
    const today = formatListDate(new Date().toISOString());
    await eventually(words, ["ann@example.com", "=HYPERLINK(1)", "website", today]);
    const tones = () =>
      Promise.all(
        ["ann@", "ben@"].map((each) => row(each).locator(".badge").getAttribute("data-tone")),
      );
    await eventually(tones, ["ok", "bad"]);
    const coming = dashboard.page.waitForEvent("download");
    await button("Export CSV").click();
    const download = await coming;
    await dashboard.toast("Subscriptions exported successfully");
    const day = toIsoDay(new Date());
    expect(download.suggestedFilename()).toBe(`email-subscriptions-${day}.csv`);
    // csv.test.ts has the cells.
    const [columns, ...lines] = await readCsv(download);
    expect(columns!.slice(0, 2)).toEqual(["Email", "Name"]);
    expect(lines.map(([email]) => email).toSorted()).toEqual([
      "ann@example.com",
      "ben@example.com",
    ]);
    // Pending is yellow, and a later release's status gray.
    await dashboard.page.route("**/api/email-subscriptions/search", async (route) => {
      const response = await route.fetch();
      const rows = (await response.json()) as { email: string }[];
      const statusOf = (email: string) => (email === "ann@example.com" ? "pending" : "resting");
      const json = rows.map((each) => ({ ...each, status: statusOf(each.email) }));
      await route.fulfill({ response, json });
    });
    await dashboard.page.getByLabel("Search emails and names").fill("example");
    await eventually(tones, ["warn", null]);
  });
});

describe("Personal data requests", () => {
  test("report an invalid address, find a person by email address, export as JSON, and erase after a dialog that names the loss", async () => {
    const { formId, ids } = await makeForm(site, "Work with me", [["email", "Email"]]);
    await submit(site, formId, { [ids[0]!]: "ann@example.com" });
    await join("ann@example.com", "Ann");
    await join("joann@example.com");
    await open();
    await button("Search").click();
    await dashboard.shows("Enter an email address.");
    await find("not an address");
    await dashboard.page.locator(".person-search .field-error").waitFor();
    await find("Ann@Example.com");
    await dashboard.shows("There is 1 subscription and 1 submission for");
    const coming = dashboard.page.waitForEvent("download");
    await button("Export data").click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^personal-data-\d{4}-\d\d-\d\d\.json$/);
    expect(await Bun.file(await download.path()).json()).toMatchObject({
      email: "ann@example.com",
      subscription: { name: "Ann" },
      submissions: [{ formId }],
    });
    await button("Erase data").click();
    await dialog()
      .getByText("This permanently deletes 1 subscription and 1 submission from")
      .waitFor();
    await eventually(() => focusedName(dashboard.page), "Cancel");
    await dialog().getByRole("button", { name: "Erase data" }).click();
    await dashboard.toast("Personal data erased");
    await row("joann@example.com").waitFor();
    expect(await stored()).toMatchObject([{ email: "joann@example.com" }]);
    expect(await site.asOwner<any[]>("GET", `/api/form-submissions/${formId}`)).toEqual([]);
    await find("ann@example.com");
    await dashboard.shows("No data found for this email address.");
    await noForms(site);
    // The refused address is written to the console by the browser.
    expect(dashboard.page.problems(/422/)).toEqual([]);
  });
});

describe("writing back", () => {
  let server: MailServer;
  const site = siteInBrowser(async () => {
    const started = await startMailSite();
    ({ server } = started);
    return started.site;
  });
  afterAll(() => server.stop());
  const dashboard = dashboardForAll(site);
  const { button, field, card } = dashboard;
  const page = () => dashboard.page;
  const arrived = (subject: string) =>
    server.received.filter((each) => each.subject === subject).length;

  test("the owner turns the thank-you on, reads an enquiry, and replies in place", async () => {
    const { formId, ids } = await makeForm(site, "Work with me", [
      ["text", "Your name"],
      ["email", "Email address"],
      ["textarea", "Story"],
    ]);
    await dashboard.open("forms", { sub: "builder", form: formId });
    await card("Thank-you email").getByLabel("Send a thank-you email").check();
    await field("Text of the email").fill("Lovely to hear from you.");
    await button("Save thank-you email").click();
    await dashboard.toast("Form updated successfully");
    expect(dashboard.lastWrite("PUT").body).toMatchObject({
      thanksMail: true,
      thanksWords: "Lovely to hear from you.",
    });
    const [name, email, story] = ids as [string, string, string];
    const answers = {
      [name]: "Ann Example",
      [email]: "ann@example.com",
      [story]: "I want to sing.",
    };
    await submit(site, formId, answers);
    await eventually(() => arrived("Thank you for your enquiry · Your Name"), 1);

    await dashboard.open("forms", { sub: "submissions", form: formId });
    await page().locator(".submission-head").click();
    await button("Reply by email").click();
    expect(await field("Subject").inputValue()).toBe("Your enquiry: Work with me");
    expect(await field("Message").inputValue()).toBe("Dear Ann,\n\n\n\nBest wishes,\nYour Name");
    await button("Can we talk?").click();
    expect(await field("Message").inputValue()).toStartWith("Dear Ann,\n\nThank you for writing");
    expect(await field("Message").inputValue()).toEndWith(
      "work for you.\n\nBest wishes,\nYour Name",
    );
    // Typed text stays: a template is added below it, and a reload keeps it.
    await field("Message").fill("Dear Ann,\n\nGladly.\n\nBest wishes,\nYour Name");
    await button("I'll reply later").click();
    const typed = await field("Message").inputValue();
    expect(typed).toStartWith("Dear Ann,\n\nGladly.\n\nThank you for writing to me. I'm traveling");
    expect(typed).toEndWith("within a few days.\n\nBest wishes,\nYour Name");
    await page().getByRole("tab", { name: "Files" }).click();
    await page()
      .getByRole("tab", { name: /^Forms.*unsaved/ })
      .waitFor();
    dashboard.answer(true);
    await page().goBack();
    await page().locator(".submission-head").waitFor();
    await page().reload();
    await page().locator(".submission-head").click();
    expect(await field("Message").inputValue()).toBe(typed);
    await field("Subject").fill("");
    await button("Send reply").click();
    await page().getByText("Enter a subject.").first().waitFor();
    await field("Subject").fill("Your enquiry");
    await expectSound(page());
    await button("Send reply").click();
    await dashboard.toast("Reply sent. Stage changed to In conversation.");
    await eventually(() => arrived("Your enquiry"), 1);
    await page().locator(".replies").getByText("Sent", { exact: true }).waitFor();
    const state = page().locator(".submission-state");
    await state.getByText("In conversation", { exact: true }).waitFor();
    await button("Undo").click();
    await state.getByText("Reviewed", { exact: true }).waitFor();
    await button("Reply by email").waitFor();
    await page()
      .getByRole("tab", { name: /^Forms.*unsaved/ })
      .waitFor({ state: "detached" });
  });
});
