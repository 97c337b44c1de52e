/** Urgent notices are sent by mail, once, and to the right person. */
import { afterEach, expect, test } from "bun:test";
import type { AppContext } from "../../../../src/server/app.ts";
import type { Notice } from "../../../../src/server/shared/notice.ts";
import type { MailServer } from "../../../support/mailServer.ts";
import { startMailSite } from "../../../support/mailSite.ts";
import { waitForValue, OWNER, type Site } from "../../../support/testSite.ts";

const DAY_MS = 24 * 60 * 60_000;

let site: Site;
let server: MailServer;
let context: AppContext;
afterEach(async () => {
  await Promise.all([site.stop(), server.stop()]);
});

async function startNotifierSite(): Promise<void> {
  ({ site, server, context } = await startMailSite({ env: { BACKUP_FREE: "0" } }));
}

const countMessages = async () =>
  (await context.mail.outbox.listPage({ offset: 0, limit: 9 })).total;
const listSubjects = () =>
  server.received.map(({ subject, to }) => `${subject} to ${to![0]!.address}`);

test("a missing backup is reported to the owner by mail once a week", async () => {
  await startNotifierSite();
  await context.backups.startJob("backup").outcome;
  const about = () =>
    server.received.filter(({ subject }) => subject!.startsWith("No backup for")).length;
  /** Reads the notices like the dashboard, and again once pending checks are done. */
  const loadNotices = async () => {
    const owner = await site.logInAsOwner();
    const isSent = async () =>
      (await owner.get("/api/notices")).body.some(({ code }: Notice) => code === "backup");
    await waitForValue(isSent, true);
    await owner.get("/api/notices");
  };
  site.advance(3 * DAY_MS);
  await loadNotices();
  await waitForValue(about, 1);
  const [email] = server.received;
  expect(email!.to![0]!.address).toBe(OWNER.email);
  expect(email!.text).toContain("once a week");
  site.advance(2 * DAY_MS);
  await loadNotices();
  site.advance(6 * DAY_MS);
  await loadNotices();
  await waitForValue(about, 2);
});

const DISK_NOTICE: Notice = {
  code: "disk_data",
  message: "The disk with the site's data has less than 100 MB left.",
};
const CERTIFICATE_NOTICE: Notice = {
  code: "certificate",
  title: "The certificate couldn't be renewed",
  message: "HTTPS: no certificate could be had (no answer).",
};
const MAIL_NOTICE: Notice = { code: "mail_trouble", message: "1 message is not delivered." };

test("a full disk and a failed certificate are mailed to the email address for notices, problems with mail aren't", async () => {
  await startNotifierSite();
  await context.mail.settings.update((value) => ({ ...value, notifyTo: "vera@example.com" }));
  await context.mail.notifyOwners([DISK_NOTICE, CERTIFICATE_NOTICE, MAIL_NOTICE]);
  await context.mail.notifyOwners([DISK_NOTICE, CERTIFICATE_NOTICE, MAIL_NOTICE]);
  await waitForValue(listSubjects, [
    "The disk is nearly full · Your Name to vera@example.com",
    "The certificate couldn't be renewed · Your Name to vera@example.com",
  ]);
  expect(server.received[0]!.text).toContain(DISK_NOTICE.message);
  expect(await countMessages()).toBe(2);
});

test("a problem that becomes worse, changes or returns is mailed again within the week", async () => {
  await startNotifierSite();
  const late = (days: number): Notice => ({
    code: "backup",
    title: `No backup for ${days} days`,
    message: "None was made.",
  });
  const unsound: Notice = { ...late(2), title: "The last backup can't be restored" };
  const worse: Notice = { ...DISK_NOTICE, message: DISK_NOTICE.message.replace("100", "20") };
  const sentAbout = async (...notices: Notice[]) => {
    await context.mail.notifyOwners(notices);
    return countMessages();
  };
  expect(await sentAbout(DISK_NOTICE, late(2))).toBe(2);
  expect(await sentAbout(worse, late(3))).toBe(3);
  expect(await sentAbout(DISK_NOTICE, unsound)).toBe(4);
  // A check that finds the cause gone for a moment doesn't end the notice.
  await sentAbout();
  site.advance(10 * 60_000);
  expect(await sentAbout(DISK_NOTICE)).toBe(4);
  site.advance(2 * 60 * 60_000);
  await sentAbout();
  site.advance(DAY_MS);
  expect(await sentAbout(DISK_NOTICE)).toBe(5);
});

test("a login from a new browser is mailed to the account's owner, except the first login", async () => {
  await startNotifierSite();
  const first = site.visitor();
  const logIn = (client: typeof first, userAgent = "Mozilla/5.0 (X11; Linux) Firefox/140.0") => {
    const { username, password } = OWNER;
    return client.post("/api/auth/login", { username, password }, { "user-agent": userAgent });
  };
  await logIn(first);
  await site.waitForAuditLog();
  await logIn(first);
  await site.waitForAuditLog();
  expect(await countMessages()).toBe(0);
  await logIn(site.visitor());
  await waitForValue(listSubjects, [`New login · Your Name to ${OWNER.email}`]);
  expect(server.received[0]!.text).toContain("Firefox");
  for (let at = 0; at < 5; at++) await logIn(site.visitor());
  await site.waitForAuditLog();
  await waitForValue(countMessages, 3);
});
