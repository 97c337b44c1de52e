/** Due follow-ups are sent at eight in the morning of the site's zone, once (specification, section 4.18). */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import type { AppContext } from "../../../src/server/app.ts";
import { addForm, ANSWERS, enquiry } from "../../support/enquirySite.ts";
import { readStoredTexts } from "../../support/keptTexts.ts";
import type { MailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { startPushService } from "../../support/pushService.ts";
import { type Client, eventually, OWNER, type Site } from "../../support/testSite.ts";

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
  await eventually(() => service.received.length, 1);
  site.stopClock();
});
afterAll(async () => {
  await context.mail.stop();
  await Promise.all([site.stop(), server.stop(), service.stop()]);
});
beforeEach(async () => {
  await site.store.of(entities.formSubmissions).deleteWhere({});
  await eventually(() => site.store.of(entities.outbox).count({ state: "waiting" }), 0);
  server.received.length = 0;
  service.received.length = 0;
});

const today = () =>
  Temporal.Instant.fromEpochMilliseconds(context.clock()).toZonedDateTimeISO(ZONE);

/** Advances to a time of a later day, to the second, and checks. */
async function checkAt(
  time: string,
  day = today().toPlainDate().add({ days: 1 }),
): Promise<string> {
  const then = day.toZonedDateTime({ timeZone: ZONE, plainTime: Temporal.PlainTime.from(time) });
  site.advance(then.epochMilliseconds - context.clock());
  await context.mail.queueDueMessages();
  return day.toString();
}

/** Adds an enquiry with a note and a reminder. Sessions have expired by then. */
async function reminded(name: string, remindOn: string, note?: string): Promise<string> {
  const { status } = await site
    .visitor()
    .post("/api/form-submissions", enquiry({ ...ANSWERS, name, email: "ann@example.com" }));
  expect(status).toBe(201);
  owner = await site.loginAsOwner();
  const [{ id }] = (await owner.get("/api/form-submissions")).body;
  if (note) await owner.post(`/api/form-submissions/${id}/notes`, { text: note });
  await owner.put(`/api/form-submissions/${id}/progress`, { remindOn });
  await eventually(() => site.store.of(entities.outbox).count({ state: "waiting" }), 0);
  server.received.length = 0;
  service.received.length = 0;
  return id;
}

/** Notifications about due reminders, without those about logins, which are sent whenever their turn comes. */
const notification = () => [letters().length, service.received.length];
const letters = () => server.received.filter(({ subject }) => subject?.includes("reminder"));

test("at eight, one message and one push have the names, the last notes and a link, and none of the answers", async () => {
  const tomorrow = today().toPlainDate().add({ days: 1 }).toString();
  const later = today().toPlainDate().add({ days: 5 }).toString();
  await reminded("Ann Example", tomorrow, "Wants a Sunday.\nCall first.");
  await reminded("Bo Later", later);
  await checkAt("07:59:59");
  expect(notification()).toEqual([0, 0]);
  site.advance(1000);
  await context.mail.queueDueMessages();
  await eventually(notification, [1, 1]);
  const [email] = letters();
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
  await checkAt("20:00", today().toPlainDate());
  expect(notification()).toEqual([1, 1]);
});

test("reminders still due are sent again the next day, also after a clock change in the night", async () => {
  const sunday = Temporal.PlainDate.from("2027-03-28");
  await reminded("Ann Example", today().toPlainDate().add({ days: 1 }).toString());
  await checkAt("09:00", sunday.subtract({ days: 1 }));
  await eventually(notification, [1, 1]);
  await checkAt("07:59:59", sunday);
  expect(notification()).toEqual([1, 1]);
  site.advance(1000);
  await context.mail.queueDueMessages();
  await eventually(notification, [2, 2]);
});

test("nothing is sent without due reminders, and no message while mail is off", async () => {
  const settings = site.store.of(entities.mailSettings);
  const before = settings.read().revision;
  await checkAt("08:00");
  expect([notification(), settings.read().revision]).toEqual([[0, 0], before]);
  await reminded("Ann Example", today().toPlainDate().add({ days: 1 }).toString());
  await owner.post("/api/mail", { notify: "off" });
  await checkAt("08:00");
  await eventually(notification, [0, 1]);
  owner = await site.loginAsOwner();
  await owner.post("/api/mail", { notify: "at once" });
});

test("a person erased before the message is sent isn't in it", async () => {
  await reminded("Ann Example", today().toPlainDate().add({ days: 1 }).toString());
  server.refuse(451);
  await checkAt("08:00");
  const waiting = () =>
    site.store.of(entities.outbox).readKeys({ kind: "followUp", state: "waiting" });
  await eventually(async () => (await waiting()).length, 1);
  const stored = await readStoredTexts(site.config);
  const messages = stored.filter(({ path }) => path.includes("outbox"));
  expect(messages.filter(({ text }) => text.includes("Ann Example"))).toEqual([]);
  owner = await site.loginAsOwner();
  await owner.post("/api/people/erase", { email: "ann@example.com" });
  server.refuse(undefined);
  site.advance(3_600_000);
  context.mail.outbox.checkNow();
  await eventually(async () => (await waiting()).length, 0);
  // The next message in the queue, about a login, has been sent.
  await eventually(() => server.received.length > 0, true);
  expect(letters()).toEqual([]);
});
