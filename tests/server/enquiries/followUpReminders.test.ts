/** Due follow-ups are sent at eight in the morning of the site's zone, once (specification, section 4.18). */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import type { AppContext } from "../../../src/server/app.ts";
import { addForm, ANSWERS, createEnquiry } from "../../support/enquirySite.ts";
import { readStoredTexts } from "../../support/storedTexts.ts";
import type { MailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { startPushService } from "../../support/pushService.ts";
import { type Client, waitForValue, OWNER, type Site } from "../../support/testSite.ts";

const ZONE = "Europe/Berlin";
const service = startPushService();
let site: Site;
let server: MailServer;
let context: AppContext;
let owner: Client;
beforeAll(async () => {
  ({ site, server, context } = await startMailSite({ env: { PRIVATE_CALLS: "on" } }));
  await addForm(site.store);
  owner = await site.owner();
  await owner.post("/api/site", { timeZone: ZONE });
  await owner.post("/api/push", service.subscription);
  await waitForValue(() => service.received.length, 1);
  site.stopClock();
});
afterAll(async () => {
  await context.mail.stop();
  await Promise.all([site.stop(), server.stop(), service.stop()]);
});
beforeEach(async () => {
  await site.store.of(entities.formSubmissions).deleteWhere({});
  await waitForValue(() => site.store.of(entities.outbox).count({ state: "waiting" }), 0);
  server.received.length = 0;
  service.received.length = 0;
});

const getToday = () =>
  Temporal.Instant.fromEpochMilliseconds(context.clock()).toZonedDateTimeISO(ZONE);

/** Advances the clock to this time of a day, by default of the next day, and queues due messages. */
async function checkAtTime(
  time: string,
  day = getToday().toPlainDate().add({ days: 1 }),
): Promise<string> {
  const then = day.toZonedDateTime({ timeZone: ZONE, plainTime: Temporal.PlainTime.from(time) });
  site.advance(then.epochMilliseconds - context.clock());
  await context.mail.queueDueMessages();
  return day.toString();
}

/** Adds an enquiry with a note and a reminder. Logs in again, since earlier sessions have expired. */
async function addReminder(name: string, remindOn: string, note?: string): Promise<string> {
  const { status } = await site
    .visitor()
    .post("/api/form-submissions", createEnquiry({ ...ANSWERS, name, email: "ann@example.com" }));
  expect(status).toBe(201);
  owner = await site.logInAsOwner();
  const [{ id }] = (await owner.get("/api/form-submissions")).body;
  if (note) await owner.post(`/api/form-submissions/${id}/notes`, { text: note });
  await owner.put(`/api/form-submissions/${id}/progress`, { remindOn });
  await waitForValue(() => site.store.of(entities.outbox).count({ state: "waiting" }), 0);
  server.received.length = 0;
  service.received.length = 0;
  return id;
}

/** Notifications about due reminders, without those about logins, which are sent whenever their turn comes. */
const countNotifications = () => [findReminderMails().length, service.received.length];
const findReminderMails = () =>
  server.received.filter(({ subject }) => subject?.includes("reminder"));

test("at eight, the owner gets one email with names and last notes, and one push notification", async () => {
  const tomorrow = getToday().toPlainDate().add({ days: 1 }).toString();
  const later = getToday().toPlainDate().add({ days: 5 }).toString();
  await addReminder("Ann Example", tomorrow, "Wants a Sunday.\nCall first.");
  await addReminder("Bo Later", later);
  await checkAtTime("07:59:59");
  expect(countNotifications()).toEqual([0, 0]);
  site.advance(1000);
  await context.mail.queueDueMessages();
  await waitForValue(countNotifications, [1, 1]);
  const [email] = findReminderMails();
  expect(email).toMatchObject({
    subject: "1 reminder due · Your Name",
    to: [{ address: OWNER.email }],
  });
  expect(email!.text).toContain("Ann Example");
  expect(email!.text).toContain("Wants a Sunday.");
  for (const other of ["Call first.", "Bo Later", "ann@example.com"])
    expect(email!.text).not.toContain(other);
  expect(service.received[0]!.notification).toEqual({
    title: "1 reminder due",
    body: 'See "Today" in the Forms tab.',
    link: "/admin/dashboard?tab=forms&sub=submissions",
    tag: expect.any(String),
  });
  await context.mail.queueDueMessages();
  await checkAtTime("20:00", getToday().toPlainDate());
  expect(countNotifications()).toEqual([1, 1]);
});

test("due reminders are sent again at eight the next day, even after a clock change in the night", async () => {
  const sunday = Temporal.PlainDate.from("2027-03-28");
  await addReminder("Ann Example", getToday().toPlainDate().add({ days: 1 }).toString());
  await checkAtTime("09:00", sunday.subtract({ days: 1 }));
  await waitForValue(countNotifications, [1, 1]);
  await checkAtTime("07:59:59", sunday);
  expect(countNotifications()).toEqual([1, 1]);
  site.advance(1000);
  await context.mail.queueDueMessages();
  await waitForValue(countNotifications, [2, 2]);
});

test("nothing is sent without due reminders, and only a push notification while mail is off", async () => {
  const settings = site.store.of(entities.mailSettings);
  const before = settings.read().revision;
  await checkAtTime("08:00");
  expect([countNotifications(), settings.read().revision]).toEqual([[0, 0], before]);
  await addReminder("Ann Example", getToday().toPlainDate().add({ days: 1 }).toString());
  await owner.post("/api/mail", { notify: "off" });
  await checkAtTime("08:00");
  await waitForValue(countNotifications, [0, 1]);
  owner = await site.logInAsOwner();
  await owner.post("/api/mail", { notify: "at once" });
});

test("an email about a due reminder isn't sent if its person was erased meanwhile", async () => {
  await addReminder("Ann Example", getToday().toPlainDate().add({ days: 1 }).toString());
  server.refuseRecipients(451);
  await checkAtTime("08:00");
  const waiting = () =>
    site.store.of(entities.outbox).readKeys({ kind: "followUp", state: "waiting" });
  await waitForValue(async () => (await waiting()).length, 1);
  const stored = await readStoredTexts(site.config);
  const messages = stored.filter(({ path }) => path.includes("outbox"));
  expect(messages.filter(({ text }) => text.includes("Ann Example"))).toEqual([]);
  owner = await site.logInAsOwner();
  await owner.post("/api/people/erase", { email: "ann@example.com" });
  server.refuseRecipients(undefined);
  site.advance(3_600_000);
  context.mail.outbox.sendDue();
  await waitForValue(async () => (await waiting()).length, 0);
  // The next message in the queue, about a login, has arrived.
  await waitForValue(() => server.received.length > 0, true);
  expect(findReminderMails()).toEqual([]);
});
