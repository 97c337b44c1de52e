/**
 * The Newsletters subtab of the Email tab: writing, previewing and sending one, and its result (specification,
 * sections 2.17 and 6.3).
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { setUpDashboard, followLink } from "../../../support/dashboard.ts";
import { expectAccessible, expectAccessibleAtWidths } from "../../../support/expectAccessible.ts";
import type { MailServer } from "../../../support/mailServer.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { setUpBrowserSite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

let server: MailServer;
const site = setUpBrowserSite(async () => {
  const started = await startMailSite({ hasAddress: true });
  ({ server } = started);
  return started.site;
});
afterAll(() => server.stop());
const dashboard = setUpDashboard(site);
const { button, dialog } = dashboard;
const page = () => dashboard.page;
const field = (label: string) => page().getByLabel(label, { exact: true });
const findReceived = (address: string) =>
  server.received.filter(({ to }) => to?.[0]?.address?.toLowerCase() === address);

beforeAll(async () => {
  await site.asOwner("POST", "/api/letters/settings", { doubleOptIn: false, welcome: false });
  for (const email of ["ann@example.com", "ben@example.com"])
    await site.visitor().post("/api/email-subscriptions", { email, name: email.slice(0, 3) });
});

test("a newsletter is written, previewed, tested and sent, and shows its result", async () => {
  await dashboard.open("email", { sub: "letters" });
  await page().getByText("Write to 2 people.").waitFor();
  await field("Postal address").fill("12 Lamp Street, London");
  // Typed text survives a reload, and another setting's change elsewhere.
  dashboard.answerDialog(true);
  await site.asOwner("POST", "/api/letters/settings", { welcomeText: "Hello" });
  await page().reload();
  await page().getByLabel("Postal address").waitFor();
  expect(await field("Postal address").inputValue()).toBe("12 Lamp Street, London");
  await button("Save").click();
  await dashboard.waitForToast("Settings saved");
  expect(dashboard.getLastWrite("POST").body).toEqual({ postalAddress: "12 Lamp Street, London" });
  await button("Write a newsletter").click();
  await field("Subject").fill("One evening in March");
  const text = page().getByRole("textbox", { name: "Text", exact: true });
  await text.click();
  await page().keyboard.type("Hi ");
  await button("First name").click();
  await page().keyboard.type(", come soon.");
  await field("Button Text").fill("Keep me a seat");
  await field("Button Link").fill("/coaching");
  await dashboard.waitForText(/^Saved \d/);
  const shown = page().frameLocator('iframe[title="The newsletter: Phone"]');
  await shown.getByText("Hi Priya, come soon.").waitFor();
  await shown.getByText("12 Lamp Street, London").waitFor();
  const ground = () =>
    page()
      .locator("iframe")
      .evaluate((frame: HTMLIFrameElement) => {
        const sheet = frame.contentDocument!.querySelector(".card");
        return sheet && frame.contentWindow!.getComputedStyle(sheet).backgroundColor;
      });
  await waitForValue(ground, "rgb(255, 255, 255)");
  await button("Dark mode").click();
  await page().locator('iframe[title="The newsletter: Dark mode"]').waitFor();
  await waitForValue(ground, "rgb(27, 30, 33)");
  await expectAccessibleAtWidths(page());
  await button("Send...").click();
  await dialog().getByText("Send yourself a test first, and check it.").waitFor();
  expect(await button("Send now to 2 people").isDisabled()).toBe(true);
  await button("Send me a test").click();
  await dialog()
    .locator(".checks")
    .getByText(/^Test sent to /)
    .waitFor();
  expect(findReceived("ada@example.com").map(({ subject }) => subject)).toContain(
    "Test: One evening in March",
  );
  await dialog().getByLabel("Subscribers from").check();
  await dialog().getByLabel("Later", { exact: true }).check();
  await button("Schedule for 2 people").waitFor();
  await expectAccessible(page());
  await dialog().getByLabel("Now", { exact: true }).check();
  await button("Send now to 2 people").click();
  await page().getByText("Sent", { exact: true }).first().waitFor();
  await page().locator(".letter-numbers", { hasText: "skipped" }).waitFor();
  expect(await page().locator(".letter-numbers dd").allTextContents()).toEqual([
    "2",
    "0",
    "0",
    "0",
  ]);
  // The editor ends a line with a no-break space.
  expect(findReceived("ann@example.com")[0]!.text).toMatch(/Hi\sann, come soon\./);
  // A sent newsletter can be read, and reused.
  await shown.getByText("Hi Priya, come soon.").waitFor();
  await button("Use again").click();
  await text.getByText("Hi {first name}, come soon.").waitFor();
  expect(await field("Subject").inputValue()).toBe("One evening in March");
  expect(await field("Button Link").inputValue()).toBe("/coaching");
  await button("Delete this newsletter").click();
  await dialog().getByRole("button", { name: "Delete" }).click();
  // Deleting leads back to the list.
  await dashboard.waitForText(/ · 2 sent$/);
});

test("a newsletter is scheduled in the site's time zone, and the scheduled time can be canceled", async () => {
  const { timeZone } = await site.asOwner("GET", "/api/site");
  await site.asOwner("POST", "/api/site", { timeZone: "Pacific/Auckland" });
  const words = { subject: "A quiet evening", body: "<p>Hi</p>" };
  const { id } = await site.asOwner("POST", "/api/letters", words);
  await site.asOwner("POST", `/api/letters/${id}/test`, {});
  await dashboard.open("email", { sub: `letters.${id}` });
  await button("Send...").click();
  await dialog().getByLabel("Later", { exact: true }).check();
  await dialog()
    .getByText(/^Auckland time \(now \d\d:\d\d\)$/)
    .waitFor();
  await dialog().getByLabel("Date").fill("2030-03-14");
  await dialog().getByLabel("Time").fill("20:00");
  await dialog()
    .getByRole("button", { name: /^Schedule for / })
    .click();
  await dashboard.waitForText("Scheduled for 14 Mar 2030, 20:00");
  expect((await site.asOwner("GET", `/api/letters/${id}`)).sendAt).toBe("2030-03-14T07:00:00.000Z");
  await site.asOwner("POST", "/api/site", { timeZone });
  await button("Unschedule").click();
  await field("Subject").waitFor();
  expect(await field("Subject").inputValue()).toBe("A quiet evening");
  await button("Delete this newsletter").click();
  await button("Delete").click();
  await page().getByText("Show newsletters on the site").waitFor();
  const stored = async () => (await site.asOwner("GET", "/api/letters")).letters;
  expect((await stored()).map((each: any) => each.id)).not.toContain(id);
  await followLink(page(), "tab=email&account=bin");
  await button("Restore A quiet evening").click();
  await dashboard.waitForToast("Newsletter restored");
  expect((await site.asOwner("GET", `/api/letters/${id}`)).state).toBe("draft");
});

test("the send dialog asks for a missing postal address, which a test email doesn't need", async () => {
  await site.asOwner("POST", "/api/letters/settings", { postalAddress: "" });
  const words = { subject: "Where I am", body: "<p>Hi</p>" };
  const { id } = await site.asOwner("POST", "/api/letters", words);
  await dashboard.open("email", { sub: `letters.${id}` });
  await button("Send...").click();
  await button("Send me a test").click();
  const missing = "Enter your postal address first. The law requires it in every newsletter.";
  await dialog().getByText(missing).waitFor();
  expect(await button("Send now to 2 people").isDisabled()).toBe(true);
  await dialog().getByLabel("Postal address").fill("3 Wharf Road, Leeds");
  await button("Send now to 2 people").click();
  await page().getByText("Sent", { exact: true }).first().waitFor();
  const { settings } = await site.asOwner<any>("GET", "/api/letters");
  expect(settings.postalAddress).toBe("3 Wharf Road, Leeds");
  const letter = () =>
    findReceived("ann@example.com").find(({ subject }) => subject === words.subject);
  await waitForValue(() => letter()?.text?.includes("3 Wharf Road, Leeds"), true);
});

test("unsaved changes to a newsletter survive a reload, and are saved with Retry", async () => {
  const { id } = await site.asOwner("POST", "/api/letters", { subject: "Draft" });
  await dashboard.open("email", { sub: `letters.${id}` });
  await page().route("**/api/letters/*", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await field("Subject").fill("Typed without a network");
  await button("Retry").waitFor();
  await button("All newsletters").click();
  await dashboard.waitForToast(
    "Couldn't save the newsletter. Your changes are stored on this device.",
  );
  dashboard.answerDialog(true);
  await page().goBack();
  await page().reload();
  await field("Subject").waitFor();
  expect(await field("Subject").inputValue()).toBe("Typed without a network");
  await page().unrouteAll({ behavior: "ignoreErrors" });
  await button("Retry").click();
  await dashboard.waitForText(/^Saved \d/);
  expect((await site.asOwner("GET", `/api/letters/${id}`)).subject).toBe("Typed without a network");

  // A change on another device isn't overwritten unseen.
  await site.asOwner("PUT", `/api/letters/${id}`, { subject: "Typed elsewhere", preview: "There" });
  await field("Subject").fill("Typed here");
  await page().getByText("This newsletter was changed in another window.").waitFor();
  await button("Keep my version").click();
  await dashboard.waitForText(/^Saved \d/);
  await waitForValue(() => field("Preview text").inputValue(), "There");
  expect(await site.asOwner("GET", `/api/letters/${id}`)).toMatchObject({
    subject: "Typed here",
    preview: "There",
  });
  await site.asOwner("PUT", `/api/letters/${id}`, { subject: "Typed elsewhere" });
  await field("Subject").fill("Typed here again");
  await button("Keep saved version").click();
  await dashboard.waitForText(/^Saved \d/);
  await waitForValue(() => field("Subject").inputValue(), "Typed elsewhere");
});
