/** The Email tab, and replies to an enquiry (specification, sections 2.17, 2.18 and 4.18). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { toIsoDay, formatListDate } from "../../../../src/web/shared/formatTimes.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { makeForm, deleteForms, submitEnquiry } from "../../../support/enquiryForm.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import type { MailServer } from "../../../support/mailServer.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { readFocusedName } from "../../../support/pageState.ts";
import { readCsv } from "../../../support/readCsv.ts";
import { setUpEmptySite, setUpBrowserSite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button, dialog } = dashboard;
afterEach(() => replaceItems(site, "/api/email-subscriptions"));

const readStored = () => site.asOwner<any[]>("GET", "/api/email-subscriptions");
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
const subscribe = (email: string, name?: string) =>
  post("/api/email-subscriptions", { email, name });
const unsubscribe = (email: string) => post("/api/email-subscriptions/unsubscribe", { email });

async function findPerson(email: string): Promise<void> {
  await dashboard.page.getByLabel("Their email address").fill(email);
  await button("Search").click();
}

async function open(width = 1366): Promise<void> {
  await dashboard.open("email", { width });
}

describe("the Email tab", () => {
  test("shows the subscriptions with a total and status colors, and exports them as a CSV", async () => {
    await open();
    await button("Export CSV").click();
    await dashboard.waitForToast("No subscriptions to export");
    const toast = dashboard.page.locator(".ui-toast");
    expect(await toast.locator(".ui-toast-title").textContent()).toBe("No data");
    expect(await toast.getAttribute("data-destructive")).not.toBeNull();
    await subscribe("ann@example.com", "=HYPERLINK(1)");
    await subscribe("ben@example.com");
    await unsubscribe("ben@example.com");
    await open();
    await dashboard.page.getByRole("heading", { name: "Email Subscriptions" }).waitFor();
    await dashboard.waitForText("2 in total");
    const legend = dashboard.page.getByRole("list", { name: "Legend" });
    const signs = () => legend.getByRole("listitem").allTextContents();
    await waitForValue(signs, ["Active", "Unsubscribed"]);
    const words = () =>
      row("ann@example.com").locator(`[class^="subscription-"], .faint`).allTextContents();
    const today = formatListDate(new Date().toISOString());
    await waitForValue(words, ["ann@example.com", "=HYPERLINK(1)", "website", today]);
    const tones = () =>
      Promise.all(
        ["ann@", "ben@"].map((each) => row(each).locator(".badge").getAttribute("data-tone")),
      );
    await waitForValue(tones, ["ok", "bad"]);
    const coming = dashboard.page.waitForEvent("download");
    await button("Export CSV").click();
    const download = await coming;
    await dashboard.waitForToast("Subscriptions exported successfully");
    const day = toIsoDay(new Date());
    expect(download.suggestedFilename()).toBe(`email-subscriptions-${day}.csv`);
    // csv.test.ts checks the cells.
    const [columns, ...lines] = await readCsv(download);
    expect(columns!.slice(0, 2)).toEqual(["Email", "Name"]);
    expect(lines.map(([email]) => email).toSorted()).toEqual([
      "ann@example.com",
      "ben@example.com",
    ]);
    // A pending subscription is yellow, and an unknown status of a later release gray.
    await dashboard.page.route("**/api/email-subscriptions/search", async (route) => {
      const response = await route.fetch();
      const rows = (await response.json()) as { email: string }[];
      const statusOf = (email: string) => (email === "ann@example.com" ? "pending" : "resting");
      const json = rows.map((each) => ({ ...each, status: statusOf(each.email) }));
      await route.fulfill({ response, json });
    });
    await dashboard.page.getByLabel("Search emails and names").fill("example");
    await waitForValue(tones, ["warn", null]);
  });
});

describe("Personal data requests", () => {
  test("find a person by email address, export the person's data as JSON, and erase it after a confirmation", async () => {
    const { formId, ids } = await makeForm(site, "Work with me", [["email", "Email"]]);
    await submitEnquiry(site, formId, { [ids[0]!]: "ann@example.com" });
    await subscribe("ann@example.com", "Ann");
    await subscribe("joann@example.com");
    await open();
    await button("Search").click();
    await dashboard.waitForText("Enter an email address.");
    await findPerson("not an address");
    await dashboard.page.locator(".person-search .field-error").waitFor();
    await findPerson("Ann@Example.com");
    await dashboard.waitForText("There is 1 subscription and 1 submission for");
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
    await waitForValue(() => readFocusedName(dashboard.page), "Cancel");
    await dialog().getByRole("button", { name: "Erase data" }).click();
    await dashboard.waitForToast("Personal data erased");
    await row("joann@example.com").waitFor();
    expect(await readStored()).toMatchObject([{ email: "joann@example.com" }]);
    expect(await site.asOwner<any[]>("GET", `/api/form-submissions/${formId}`)).toEqual([]);
    await findPerson("ann@example.com");
    await dashboard.waitForText("No data found for this email address.");
    await deleteForms(site);
    // The refused address is written to the console by the browser.
    expect(dashboard.page.problems(/422/)).toEqual([]);
  });
});

describe("replies to an enquiry", () => {
  let server: MailServer;
  const site = setUpBrowserSite(async () => {
    const started = await startMailSite();
    ({ server } = started);
    return started.site;
  });
  afterAll(() => server.stop());
  const dashboard = setUpDashboard(site);
  const { button, field, card } = dashboard;
  const page = () => dashboard.page;
  const countReceived = (subject: string) =>
    server.received.filter((each) => each.subject === subject).length;

  test("are written on the same screen where the owner reads the enquiry", async () => {
    const { formId, ids } = await makeForm(site, "Work with me", [
      ["text", "Your name"],
      ["email", "Email address"],
      ["textarea", "Story"],
    ]);
    await dashboard.open("forms", { sub: "builder", form: formId });
    await card("Thank-you email").getByLabel("Send a thank-you email").check();
    await field("Text of the email").fill("Lovely to hear from you.");
    await button("Save thank-you email").click();
    await dashboard.waitForToast("Form updated successfully");
    expect(dashboard.getLastWrite("PUT").body).toMatchObject({
      thanksMail: true,
      thanksWords: "Lovely to hear from you.",
    });
    const [name, email, story] = ids as [string, string, string];
    const answers = {
      [name]: "Ann Example",
      [email]: "ann@example.com",
      [story]: "I want to sing.",
    };
    await submitEnquiry(site, formId, answers);
    await waitForValue(() => countReceived("Thank you for your enquiry · Your Name"), 1);

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
    dashboard.answerDialog(true);
    await page().goBack();
    await page().locator(".submission-head").waitFor();
    await page().reload();
    await page().locator(".submission-head").click();
    expect(await field("Message").inputValue()).toBe(typed);
    await field("Subject").fill("");
    await button("Send reply").click();
    await page().getByText("Enter a subject.").first().waitFor();
    await field("Subject").fill("Your enquiry");
    await expectAccessible(page());
    await button("Send reply").click();
    await dashboard.waitForToast("Reply sent. Stage changed to In conversation.");
    await waitForValue(() => countReceived("Your enquiry"), 1);
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
