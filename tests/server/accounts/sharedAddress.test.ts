/** Anyone who shares an address with someone who never stops guessing can log in (specification, section 6.3). */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type MailServer, startMailServer } from "../../support/mailServer.ts";
import { addPasskey, logInWithPasskey, createPasskey } from "../../support/passkey.ts";
import { findFreePort } from "../../support/ports.ts";
import { waitForValue, OWNER, type Site, startSite } from "../../support/testSite.ts";

const MINUTE_MS = 60_000;
const NEW_PASSWORD = "seven quiet lanterns";

let site: Site;
let server: MailServer;
let url = "";
let headers: Record<string, string> = {};
beforeEach(async () => {
  server = await startMailServer({ hasLogin: false, isPlain: true });
  const port = findFreePort();
  url = `http://localhost:${port}`;
  headers = { host: new URL(url).host, "x-forwarded-for": "192.0.2.1" };
  const MAIL = {
    MAIL_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: "Vera <site@example.com>",
  };
  site = await startSite({
    port,
    env: { ...MAIL, SITE_URL: url, TRUSTED_PROXIES: "127.0.0.1" },
  });
  site.stopClock();
});
afterEach(async () => {
  await Promise.all([site.stop(), server.stop()]);
});

const logIn = (caller = site.visitor(), password: string = OWNER.password) =>
  caller.post("/api/auth/login", { username: OWNER.username, password }, headers);
const guessPassword = () => logIn(site.visitor(), "wrong words x");

/** Guesses passwords and requests links until the address has to wait. */
async function useUpAttempts(): Promise<void> {
  for (let isAccepted = true; isAccepted;) {
    isAccepted = (await guessPassword()).status !== 429;
    await site.visitor().post("/api/auth/forgotten", { login: "nobody" }, headers);
    await site.visitor().post("/api/auth/forgotten/link", { token: "a.1.b" }, headers);
  }
}

test("a passkey logs in at the first attempt while somebody at the same IP address guesses passwords for hours", async () => {
  const passkey = createPasskey(url);
  const owner = site.visitor();
  expect((await logIn(owner)).status).toBe(200);
  expect((await addPasskey(owner, passkey, headers)).status).toBe(201);
  for (let hour = 0; hour < 5; hour++) {
    await useUpAttempts();
    expect((await guessPassword()).status).toBe(429);
    expect((await logInWithPasskey(site.visitor(), passkey, headers)).status).toBe(200);
    // An unknown passkey is counted, and has to wait like a password.
    const other = await logInWithPasskey(site.visitor(), createPasskey(url), headers);
    expect(other.status).toBe(429);
    site.advance(60 * MINUTE_MS - 1000);
  }
});

test("a mailed link and the new password work at once while somebody at the same IP address guesses passwords", async () => {
  for (let at = 0; at < 25; at++)
    await site.visitor().post("/api/auth/forgotten/link", { token: "a.1.b" }, headers);
  await useUpAttempts();
  const requestLink = () =>
    site.visitor().post("/api/auth/forgotten", { login: OWNER.username }, headers);
  // Somebody requests links in the owner's name all the while.
  for (let at = 0; at < 10; at++) expect((await requestLink()).status).toBe(200);
  await waitForValue(() => server.received.length > 0, true);
  const [, token] = /#token=(\S+)/.exec(server.received[0]!.text!)!;
  const owner = site.visitor();
  const opened = await owner.post("/api/auth/forgotten/link", { token }, headers);
  expect(opened.body).toEqual({ username: OWNER.username });
  const saved = { token, newPassword: NEW_PASSWORD };
  expect((await owner.post("/api/auth/forgotten/password", saved, headers)).status).toBe(204);
  expect((await guessPassword()).status).toBe(429);
  expect((await logIn(site.visitor(), NEW_PASSWORD)).status).toBe(429);
  expect((await logIn(owner, NEW_PASSWORD)).status).toBe(200);
});

test("a stranger's endless password reset requests never leave the owner without a working link", async () => {
  const requestReset = () =>
    site.visitor().post("/api/auth/forgotten", { login: OWNER.username }, headers);
  const another = async () => {
    const sent = server.received.length;
    await requestReset();
    await waitForValue(() => server.received.length, sent + 1);
  };
  // Uses up the hour's allowance.
  for (let at = 0; at < 2; at++) await another();
  for (let at = 0; at < 3; at++) {
    await another();
    site.advance(26 * MINUTE_MS);
    const [, token] = /#token=(\S+)/.exec(server.received.at(-1)!.text!)!;
    const { status } = await site.visitor().post("/api/auth/forgotten/link", { token }, headers);
    expect(status).toBe(200);
  }
}, 60_000);
