/** Suggesting times, choosing one, rescheduling and canceling a call (specification, sections 2.18 and 4.21). */
import { expect, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { startCallSite, readCalendarEntries, getWallTimeIn } from "../../../support/callSite.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { setUpBrowserSite } from "../../../support/browserSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpBrowserSite(() => startCallSite());
const dashboard = setUpDashboard(site);
const { button, field, dialog } = dashboard;
const page = () => dashboard.page;

/** Opens the newest submission. */
async function openNewestEnquiry(width = 1366) {
  await dashboard.open("forms", { sub: "submissions", form: "form", width });
  await page().locator(".submission-head").first().click();
}

test("an owner suggests times for a call in a reply, and is warned of a time offered to somebody else", async () => {
  // A time that isn't among those proposed below.
  const offered = [getWallTimeIn(48), getWallTimeIn(49)].find(
    (each) => !/T(?:10|14|17)/.test(each),
  )!;
  await site.sendAndSuggest([offered], { name: "Ana Lopez", email: "ana@example.com" });
  const id = await site.sent({ phone: "+44 7700 900342" });
  await openNewestEnquiry(390);
  await button("Reply by email").click();
  await field("Message").fill("Shall we talk? These would suit me:");
  await button("Suggest times").click();
  const times = page().getByRole("region", { name: "Suggest times" });
  await times.getByText("London time").waitFor();
  const heights = await page()
    .locator(".suggest-times :is(button, input, select)")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  const [day, time] = offered.split("T") as [string, string];
  expect(await times.getByRole("listitem").count()).toBe(3);
  // The next three working days at 10:00, 14:00 and 17:00, never within 12 hours.
  const proposed = await Promise.all(
    [1, 2, 3].map(async (number) => ({
      at: Date.parse(`${await field(`Time ${number}: date`).inputValue()}T00:00:00Z`),
      time: await field(`Time ${number}: time`).inputValue(),
    })),
  );
  expect(proposed.map(({ time }) => time)).toEqual(["10:00", "14:00", "17:00"]);
  for (const { at } of proposed) expect([0, 6]).not.toContain(new Date(at).getUTCDay());
  const begins = proposed[0]!.at + 10 * 3_600_000;
  expect(begins - Date.parse(`${getWallTimeIn(0)}Z`)).toBeGreaterThanOrEqual(11 * 3_600_000);
  await field("Time 3: date").fill(day);
  await field("Time 3: time").fill(time);
  await times.getByText("This overlaps with a time that Ana was offered or has booked.").waitFor();
  expect(
    await times.getByLabel("Type of call", { exact: true }).locator("option:checked").innerText(),
  ).toBe("I'll call you on +44 7700 900342");
  await times.getByLabel("Duration").selectOption("45");
  await expectAccessible(page());
  await button("Add another time").click();
  await button("Add another time").click();
  expect(await button("Add another time").count()).toBe(0);
  await button("Remove time 5").click();
  await button("Remove time 2").click();
  await field("Time 1: date").fill("2001-01-01");
  await button("Send reply").click();
  await times.getByText("This time has passed. Choose a later one.").waitFor();
  await field("Time 1: date").fill(getWallTimeIn(96).slice(0, 10));
  expect(await times.getByText("This time has passed").count()).toBe(0);
  await button("Send reply").click();
  await dashboard.waitForToast("Reply sent. Stage changed to In conversation.");
  const { replies } = await site.getEnquiry(id);
  expect(replies[0]!.offers).toHaveLength(3);
  expect(replies[0]!.offers![0]).toMatchObject({
    minutes: 45,
    where: { how: "call", text: "+44 7700 900342" },
  });
  await dashboard.waitForText(/^Suggested times: /);
});

test("a booked call can be rescheduled and canceled in its enquiry", async () => {
  const { id, link } = await site.sendAndSuggest([getWallTimeIn(90)], {
    email: "cy@example.com",
    name: "Cy",
  });
  await site.pressButton(link, { time: "0" });
  await openNewestEnquiry();
  const call = page().getByRole("region", { name: "Call", exact: true });
  await call.getByText("(London time) · 30 minutes · Phone call").waitFor();
  await button("Reschedule").click();
  await dialog("Reschedule call").getByLabel("New time: date").fill("2001-01-01");
  await dialog("Reschedule call").getByRole("button", { name: "Reschedule", exact: true }).click();
  await dialog("Reschedule call").getByText("This time has passed. Choose a later one.").waitFor();
  const [day, time] = getWallTimeIn(95).split("T") as [string, string];
  await dialog("Reschedule call").getByLabel("New time: date").fill(day);
  await dialog("Reschedule call").getByLabel("New time: time").fill(time);
  await dialog("Reschedule call").getByRole("button", { name: "Reschedule", exact: true }).click();
  await dashboard.waitForToast("Call rescheduled. The visitor has been notified.");
  expect((await site.getEnquiry(id)).booked!.at).toBe(getWallTimeIn(95));
  await button("Cancel the call").click();
  await dialog().getByRole("button", { name: "Cancel the call" }).click();
  await dashboard.waitForToast("Call canceled. The visitor has been notified.");
  expect(await site.getEnquiry(id)).toMatchObject({ booked: null, stage: "talking" });
  await call.waitFor({ state: "detached" });
});

test("the form for rescheduling starts with the call's time in the site's time zone, and a past call has no buttons", async () => {
  const at = getWallTimeIn(80);
  const { id, link } = await site.sendAndSuggest([at], { email: "eve@example.com", name: "Eve" });
  await site.pressButton(link, { time: "0" });
  await site.asOwner("POST", "/api/site", { timeZone: "Asia/Tokyo" });
  await openNewestEnquiry();
  await button("Reschedule").click();
  const form = dialog("Reschedule call");
  await form.getByText("New time (Tokyo time)").waitFor();
  const [day, time] = Temporal.PlainDateTime.from(at)
    .toZonedDateTime("Europe/London")
    .withTimeZone("Asia/Tokyo")
    .toPlainDateTime()
    .toString({ smallestUnit: "minute" })
    .split("T") as [string, string];
  expect(await form.getByLabel("New time: date").inputValue()).toBe(day);
  expect(await form.getByLabel("New time: time").inputValue()).toBe(time);
  await site.asOwner("POST", "/api/site", { timeZone: "Europe/London" });
  await site.submissions.update(id, (each) => ({
    ...each,
    booked: { ...each.booked!, at: getWallTimeIn(-2) },
  }));
  await openNewestEnquiry();
  const call = page().getByRole("region", { name: "Call", exact: true });
  await call.getByText("(London time) · 30 minutes · Phone call").waitFor();
  expect(await call.getByRole("button").count()).toBe(0);
});

test("deleting an enquiry with a booked call asks, cancels the call, and notifies the visitor", async () => {
  const { link } = await site.sendAndSuggest([getWallTimeIn(90)], {
    email: "di@example.com",
    name: "Di Moss",
  });
  await site.pressButton(link, { time: "0" });
  await openNewestEnquiry();
  const questions: string[] = [];
  page().once("dialog", (question) => {
    questions.push(question.message());
    void question.accept();
  });
  await dashboard.open("forms", { width: 390 });
  await button("Delete New Form").nth(1).click();
  await dialog()
    .getByText(/(?:One submission has a booked call|\d submissions have booked calls)\./)
    .waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await openNewestEnquiry();
  await page().getByRole("button", { name: "Delete", exact: true }).click();
  await dashboard.waitForToast(
    "Submission deleted and call canceled. The visitor has been notified.",
  );
  expect(questions).toEqual([
    expect.stringMatching(
      /This action cannot be undone\.\n\nYou have a call with Di on \w{3} \d+ \w{3}, \d\d:00\. Deleting the submission cancels the call and notifies Di by email\. Undo restores the submission, but not the call\.$/,
    ),
  ]);
  await site.waitForMessages("Your call with Vera Lind has been canceled", "di@example.com");
});

test("Today shows a call of today with its time, and Upcoming calls shows a later call", async () => {
  await site.store.of(entities.formSubmissions).deleteWhere({});
  const later = await site.sendAndSuggest([getWallTimeIn(50)], {
    name: "Bo",
    email: "bo@example.com",
  });
  await site.pressButton(later.link, { time: "0" });
  const remindOn = getWallTimeIn(-1).slice(0, 10);
  await site.asOwner("PUT", `/api/form-submissions/${later.id}/progress`, { remindOn });
  const today = await site.sendAndSuggest([getWallTimeIn(2)], {
    name: "Dev",
    phone: "+44 7700 900118",
  });
  await site.pressButton(today.link, { time: "0" });
  await site.asOwner("POST", "/api/site", { timeZone: "Europe/London" });
  await dashboard.open("forms", { sub: "submissions" });
  const day = Temporal.Now.zonedDateTimeISO("Europe/London").toPlainDate().toString();
  const isToday = getWallTimeIn(2).startsWith(day);
  const due = dashboard.card(isToday ? "Today" : "Upcoming calls");
  await due.getByText(`Dev, ${isToday ? getWallTimeIn(2).slice(11) : ""}`).waitFor();
  await due.getByText("Call, 30 minutes · +44 7700 900118").waitFor();
  if (isToday)
    expect(await due.getByRole("link", { name: "Call" }).getAttribute("href")).toBe(
      "tel:+447700900118",
    );
  const reminder = dashboard.card("Today").getByRole("listitem").filter({ hasText: "Bo" });
  await reminder.getByText(/^due /).waitFor();
  await reminder.getByRole("button", { name: "Done" }).click();
  await reminder.waitFor({ state: "detached" });
  await dashboard
    .card("Upcoming calls")
    .getByText(/^Bo, \w+ \d+ \w+, \d\d:00$/)
    .waitFor();
  const calendar = dashboard.card("Calendar of your calls");
  await calendar.getByRole("button", { name: "Create link" }).click();
  await calendar.getByText(/Copy it now; it won't be shown again/).waitFor();
  const address = await calendar.locator("code").innerText();
  const followed = readCalendarEntries(await (await fetch(address)).text());
  expect(followed.map(({ summary }) => summary)).toEqual(["Dev, Inner name", "Bo, Inner name"]);
  await calendar.getByRole("button", { name: "Create new link" }).click();
  await waitForValue(async () => (await fetch(address)).status, 404);
  await calendar.getByRole("button", { name: "Turn off" }).click();
  await dashboard.waitForToast("Calendar link turned off");
});
