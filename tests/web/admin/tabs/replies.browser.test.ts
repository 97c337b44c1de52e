/** Writing back to an enquiry, and the thank-you that goes by itself (specification, sections 2.18 and 4.18). */
import { afterAll, expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { makeForm, submit } from "../../../support/enquiryForm.ts";
import { expectSoundAtWidths } from "../../../support/expectSound.ts";
import type { MailServer } from "../../../support/mailServer.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { siteInBrowser } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

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
const arrived = (subject: string) => server.taken.filter((each) => each.subject === subject).length;

test("the owner switches the thank-you on, reads an enquiry, and answers it in place", async () => {
  const { formId, ids } = await makeForm(site, "Work with me", [
    ["text", "Your name"],
    ["email", "Email address"],
    ["textarea", "Story"],
  ]);
  await dashboard.open("forms", { sub: "builder", form: formId });
  await card("Thank-you by mail").getByLabel("Send a thank-you message").check();
  await field("Words of the message").fill("Lovely to hear from you.");
  await expectSoundAtWidths(page());
  await button("Save thank-you page").click();
  await dashboard.toast("Form updated successfully");
  expect(dashboard.lastWrite("PUT").body).toEqual({
    thanksMail: true,
    thanksWords: "Lovely to hear from you.",
  });
  const [name, email, story] = ids as [string, string, string];
  const answers = { [name]: "Ann Example", [email]: "ann@example.com", [story]: "I want to sing." };
  await submit(site, formId, answers);
  await eventually(() => arrived("Thank you for your enquiry · Your Name"), 1);

  await dashboard.open("forms", { sub: "submissions", form: formId });
  await page().locator(".submission-head").click();
  await button("Reply by email").click();
  expect(await field("Subject").inputValue()).toBe("Your enquiry: Work with me");
  expect(await field("Message").inputValue()).toBe("Dear Ann,\n\n\n\nBest wishes,\nYour Name");
  await button("Can we talk?").click();
  expect(await field("Message").inputValue()).toStartWith("Dear Ann,\n\nThank you for writing");
  expect(await field("Message").inputValue()).toEndWith("suit you.\n\nBest wishes,\nYour Name");
  // What is typed stays: a template comes below it, and a reload leaves it there.
  await field("Message").fill("Dear Ann,\n\nGladly.\n\nBest wishes,\nYour Name");
  await button("More soon").click();
  const typed = await field("Message").inputValue();
  expect(typed).toStartWith("Dear Ann,\n\nGladly.\n\nThank you for writing to me. I'm on the");
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
  await expectSoundAtWidths(page());
  await button("Send reply").click();
  await dashboard.toast("Your reply is on its way");
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
  await expectSoundAtWidths(page());
});
