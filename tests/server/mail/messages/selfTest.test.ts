/** A daily test takes the path of all mail, and the dashboard reports a failure (specification, section 4.18). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AppContext } from "../../../../src/server/app.ts";
import type { MailServer } from "../../../support/mailServer.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { type Client, waitForValue, OWNER, type Site } from "../../../support/testSite.ts";

const HOUR_MS = 60 * 60_000;
let site: Site;
let server: MailServer;
let context: AppContext;
let owner: Client;
beforeAll(async () => {
  ({ site, server, context } = await startMailSite());
  owner = await site.owner();
  // The hour of the daily test message comes only when the test advances the clock.
  site.stopClock();
});
afterAll(() => Promise.all([site.stop(), server.stop()]));

/** Advances to the next day and logs in again, since the session has expired. */
async function advanceToNextDay(): Promise<void> {
  site.advance(24 * HOUR_MS);
  owner = await site.logInAsOwner();
  await context.mail.queueDueMessages();
}
const readState = async () => (await owner.get("/api/mail")).body.selfTest;
const findTestMessages = () =>
  server.received.filter(({ subject }) => subject!.startsWith("Your email works"));
const hasNotice = async () =>
  (await owner.get("/api/notices")).body.some(({ code }: any) => code === "mail_self_test");

test("the daily test message is sent once a day after the owner has turned it on", async () => {
  await context.mail.queueDueMessages();
  expect([await readState(), findTestMessages().length]).toEqual([{ isOn: false, last: null }, 0]);
  await owner.post("/api/mail", { selfTest: true });
  await waitForValue(async () => (await readState()).last?.state, "sent");
  expect(findTestMessages().map(({ to }) => to![0]!.address)).toEqual([OWNER.email]);
  await context.mail.queueDueMessages();
  await advanceToNextDay();
  await waitForValue(() => findTestMessages().length, 2);
  await context.mail.queueDueMessages();
  expect([findTestMessages().length, await hasNotice()]).toEqual([2, false]);
});

test("a failed test message is shown in the dashboard with its reason, until a test message succeeds", async () => {
  server.refuseRecipients(550);
  await advanceToNextDay();
  await waitForValue(async () => (await readState()).last.state, "failed");
  expect((await readState()).last.problem).toBe(
    "The mail server rejected this recipient's address.",
  );
  expect(await hasNotice()).toBe(true);
  server.refuseRecipients(undefined);
  await advanceToNextDay();
  await waitForValue(async () => (await readState()).last.state, "sent");
  expect(await hasNotice()).toBe(false);
});
