/** A forgotten password: whoever reads the mailbox gets in again, and nobody else learns or gains anything. */
import { afterEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { MIN_RESET_DELAY_MS } from "../../../src/server/accounts/passwordReset.ts";
import { type MailServer, startMailServer } from "../../support/mailServer.ts";
import { findFreePort } from "../../support/ports.ts";
import {
  waitForValue,
  OWNER,
  formatRefusal,
  type Site,
  startSite,
} from "../../support/testSite.ts";

const MINUTE_MS = 60_000;
const NEW_PASSWORD = "seven quiet lanterns";

let site: Site;
let server: MailServer;
let url = "";
afterEach(async () => {
  await Promise.all([site.stop(), server.stop()]);
});

async function start(env: Record<string, string> = {}): Promise<void> {
  server = await startMailServer({ hasLogin: false, isPlain: true });
  const MAIL_URL = `smtp://127.0.0.1:${server.port}`;
  const MAIL = { MAIL_URL, MAIL_FROM: "Vera <site@example.com>" };
  const port = findFreePort();
  url = `http://localhost:${port}`;
  site = await startSite({
    port,
    env: { ...MAIL, SITE_URL: url, RATE_LIMIT: "off", ...env },
  });
}

/** The headers that the site's own page sends. */
const createSiteHeaders = () => ({ host: new URL(url).host });
const post = (path: string, body: object) =>
  site.visitor().post(`/api/auth${path}`, body, createSiteHeaders());
const requestLink = (login: string) => post("/forgotten", { login });
const countReceived = () => server.received.length;
const readOutbox = () => site.context.mail.outbox.listPage({ offset: 0, limit: 9 });
const logIn = (password: string) => post("/login", { username: OWNER.username, password });

/** The token in a message that arrived. */
function readToken(at: number): string {
  const [, token] = /http:\/\/localhost:\d+\/admin\/password#token=(\S+)/.exec(
    server.received[at]!.text!,
  )!;
  return token!;
}

test("a mailed reset link sets a new password once, ends every session and notifies the account", async () => {
  await start();
  const before = await logIn(OWNER.password);
  expect(before.status).toBe(200);
  expect((await requestLink(OWNER.email.toUpperCase())).status).toBe(200);
  await waitForValue(countReceived, 1);
  const [email] = server.received;
  expect([email!.subject, email!.to![0]!.address]).toEqual([
    "Choose a new password · Your Name",
    OWNER.email,
  ]);
  const token = readToken(0);
  expect(JSON.stringify(await readOutbox())).not.toContain(token);
  expect((await post("/forgotten/link", { token })).body).toEqual({ username: OWNER.username });
  const weak = await post("/forgotten/password", { token, newPassword: "password" });
  expect([weak.status, typeof weak.body.fields.newPassword]).toEqual([422, "string"]);
  const sessions = () => site.store.of(entities.sessions).read().value.length;
  expect(sessions()).toBe(1);
  const used = await post("/forgotten/password", { token, newPassword: NEW_PASSWORD });
  expect([used.status, sessions()]).toEqual([204, 0]);
  expect(
    (await post("/forgotten/password", { token, newPassword: `${NEW_PASSWORD}!` })).status,
  ).toBe(404);
  expect([(await logIn(OWNER.password)).status, (await logIn(NEW_PASSWORD)).status]).toEqual([
    401, 200,
  ]);
  // A third message arrives, since this login came from an unknown browser.
  await waitForValue(countReceived, 3);
  expect(server.received.map(({ subject }) => subject).toSorted()).toEqual([
    "Choose a new password · Your Name",
    "New login · Your Name",
    "Your password was changed · Your Name",
  ]);
});

test("of two simultaneous uses of a password reset link, one succeeds", async () => {
  await start();
  await requestLink(OWNER.username);
  await waitForValue(countReceived, 1);
  const token = readToken(0);
  const both = await Promise.all(
    [NEW_PASSWORD, `${NEW_PASSWORD}!`].map((newPassword) =>
      post("/forgotten/password", { token, newPassword }),
    ),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404]);
});

test("a password reset link ends after 30 minutes or when the email address changes, and can't be forged", async () => {
  await start();
  await requestLink(OWNER.username);
  await waitForValue(countReceived, 1);
  const token = readToken(0);
  const isGood = async (candidate: unknown) =>
    (await post("/forgotten/link", { token: candidate })).status === 200;
  const [id, until, signature] = token.split(".") as [string, string, string];
  expect(await isGood(`${id}.${Number(until) + 1}.${signature}`)).toBe(false);
  for (const other of ["", null, 5, {}, "a.1.b"]) expect(await isGood(other)).toBe(false);
  const users = site.store.of(entities.users);
  const [user] = users.read().value;
  await users.update((all) => all.map((each) => ({ ...each, email: "other@example.com" })));
  expect(await isGood(token)).toBe(false);
  await users.update(() => [user!]);
  expect(await isGood(token)).toBe(true);
  site.advance(30 * MINUTE_MS);
  expect(await isGood(token)).toBe(false);
});

test("a password reset request gets the same response for every name, and mails nothing without an account", async () => {
  await start();
  const answers = await Promise.all(
    [OWNER.username, "nobody", "nobody@example.com"].map(async (login) => {
      const { status, text, headers } = await requestLink(login);
      return [status, text, [...headers.keys()].toSorted()];
    }),
  );
  expect(answers[1]).toEqual(answers[0]!);
  expect(answers[2]).toEqual(answers[0]!);
  await waitForValue(countReceived, 1);
  expect((await readOutbox()).total).toBe(1);
});

test("one person gets at most three password reset emails an hour, whoever requests them", async () => {
  await start({ RATE_LIMIT: "on", TRUSTED_PROXIES: "127.0.0.1" });
  site.stopClock();
  const requestFrom = (address: string) => {
    const headers = { ...createSiteHeaders(), "x-forwarded-for": address };
    return site.visitor().post("/api/auth/forgotten", { login: OWNER.username }, headers);
  };
  const total = async () => (await readOutbox()).total;
  for (let at = 1; at < 6; at++) {
    for (let times = 0; times < 20; times++)
      expect((await requestFrom(`198.51.${at % 2}.7`)).status).toBe(200);
    if (at <= 3) await waitForValue(total, at);
  }
  await waitUntilHandled(2);
  expect(await total()).toBe(3);
});

/** Waits until the audit log counts this many more anonymous requests for a link. */
async function waitUntilHandled(times: number): Promise<void> {
  const count = async () => {
    await site.waitForAuditLog();
    const { items } = await site.store.of(entities.auditLog).readPage({ offset: 0, limit: 99 });
    return items.reduce(
      (sum, { detail, count }) => sum + (detail === UNKNOWN_ACCOUNT_SUBJECT ? count : 0),
      0,
    );
  };
  for (let at = 0; at < times; at++) {
    const before = await count();
    await requestLink("nobody");
    await waitForValue(count, before + 1);
  }
}

const UNKNOWN_ACCOUNT_SUBJECT = "For an unknown account";

test("password reset requests are processed after a delay, so that response times don't reveal accounts", async () => {
  await start();
  const began = performance.now();
  await Promise.all([requestLink(OWNER.username), requestLink("nobody")]);
  await site.visitor().get("/api/auth/forgotten", createSiteHeaders());
  await site.waitForAuditLog();
  const seen = [(await readOutbox()).total, await site.store.of(entities.auditLog).count()];
  // If the machine stalled for this long, the delay may be over.
  if (performance.now() - began < MIN_RESET_DELAY_MS) expect(seen).toEqual([0, 0]);
  await waitForValue(async () => (await readOutbox()).total, 1);
});

test("a login after a password reset still requires the second factor", async () => {
  await start();
  await site.store.of(entities.users).update((all) =>
    all.map((user) => ({
      ...user,
      totp: { secret: "JBSWY3DPEHPK3PXP", confirmedAt: new Date().toISOString(), lastUsedStep: 0 },
    })),
  );
  await requestLink(OWNER.username);
  await waitForValue(countReceived, 1);
  await post("/forgotten/password", { token: readToken(0), newPassword: NEW_PASSWORD });
  const { status, body } = await logIn(NEW_PASSWORD);
  expect([status, body.code]).toEqual([401, "second_factor"]);
});

test("without SITE_URL no password reset link is offered", async () => {
  await start({ SITE_URL: "" });
  const { body } = await site.visitor().get("/api/auth/forgotten");
  expect(body).toEqual({ possible: false });
  const refused = await site.visitor().post("/api/auth/forgotten", { login: OWNER.username });
  expect(formatRefusal(refused)).toBe(
    "404 This site can't send you a link by email. Ask whoever runs the site to reset your password.",
  );
});

test("a password reset email that can no longer contain a link fails with the reason", async () => {
  await start({ SITE_URL: "" });
  const { accountMail } = site.context.mail;
  const [user] = site.context.store.of(entities.users).read().value;
  const render = (about: string) => () =>
    accountMail.renderMessage({ about, createdAt: new Date().toISOString() });
  expect(render("nobody")).toThrow("The user was deleted before this message was sent.");
  expect(render(user!.id)).toThrow("The link needs the site's public URL.");
});

test("a delayed password reset email isn't sent once its link has expired", async () => {
  await start();
  const { port } = server;
  await server.stop();
  await requestLink(OWNER.username);
  const first = async () =>
    (await site.context.mail.outbox.listPage({ offset: 0, limit: 1 })).items[0];
  await waitForValue(async () => (await first())?.attempts, 1);
  site.advance(31 * MINUTE_MS);
  server = await startMailServer({ hasLogin: false, isPlain: true, port });
  site.context.mail.outbox.sendDue();
  await waitForValue(async () => (await first())!.state, "failed");
  expect([(await first())!.problem, countReceived()]).toEqual([
    "The link expired before this message could be sent.",
    0,
  ]);
});
