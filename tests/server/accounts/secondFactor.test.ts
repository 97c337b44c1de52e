/** Authenticator app and recovery codes (specification, section 6.8). */
import { describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import {
  computeCode,
  advanceToNextCode,
  turnOnAuthenticator,
} from "../../support/authenticator.ts";
import {
  type Client,
  OWNER,
  formatRefusal,
  setUpSiteForEach,
  startSite,
} from "../../support/testSite.ts";

const site = setUpSiteForEach(() => startSite({ env: { TRUSTED_PROXIES: "127.0.0.1" } }));

const postLogin = (more: object = {}, caller = site.visitor(), from?: string) =>
  caller.post(
    "/api/auth/login",
    { username: OWNER.username, password: OWNER.password, ...more },
    from === undefined ? {} : { "x-forwarded-for": from },
  );

const CODE_NEEDED = {
  error: "Enter the code from your authenticator app, or a recovery code.",
  code: "second_factor",
  fields: { code: "Enter the code from your authenticator app, or a recovery code." },
  requestId: expect.any(String),
};

describe("turning an authenticator app on", () => {
  test("requires a valid code, and until then the password is enough to log in", async () => {
    const owner = await site.logInAsOwner();
    const { body } = await owner.post("/api/auth/authenticator");
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(body.address).toContain(`secret=${body.secret}`);
    expect(body.qr.path).toMatch(/^(M\d+ \d+h\d+v1H\d+z)+$/);
    const wrong = await owner.post("/api/auth/authenticator/confirm", { code: "000000" });
    expect(formatRefusal(wrong)).toBe(
      "422 That code didn't work. Wait for the next one, then try again.",
    );
    expect((await postLogin()).status).toBe(200);
    const code = computeCode(site, body.secret);
    const right = await owner.post("/api/auth/authenticator/confirm", { code });
    expect(right.body.recoveryCodes).toHaveLength(10);
    expect(new Set(right.body.recoveryCodes).size).toBe(10);
    expect((await postLogin()).body).toEqual(CODE_NEEDED);
  });

  test("needs a secret created in the same session less than 15 minutes ago", async () => {
    const owner = await site.logInAsOwner();
    const other = await site.logInAsOwner();
    const { body } = await owner.post("/api/auth/authenticator");
    const confirm = (client: Client) =>
      client.post("/api/auth/authenticator/confirm", { code: computeCode(site, body.secret) });
    expect((await confirm(other)).status).toBe(409);
    site.advance(15 * 60_000);
    expect((await confirm(owner)).body.error).toBe("This took too long. Start over.");
  });

  test("returns the secret and the recovery codes once, and no later call returns them", async () => {
    const owner = await site.logInAsOwner();
    const { secret, recoveryCodes } = await turnOnAuthenticator(site, owner);
    const texts = await Promise.all(
      ["auth/security", "auth/me", "auth/sessions", "audit-log"].map(
        async (path) => (await owner.get(`/api/${path}`)).text,
      ),
    );
    const stored = site.store.of(entities.users).read().value[0]!;
    expect(stored.totp!.secret).toBe(secret);
    for (const word of [secret, ...recoveryCodes, ...stored.recoveryCodes!.hashes])
      expect(texts.join()).not.toContain(word);
    for (const code of recoveryCodes) expect(JSON.stringify(stored)).not.toContain(code);
    const { body } = await owner.get("/api/auth/security");
    expect(body).toMatchObject({
      passkeys: [],
      authenticator: { confirmedAt: expect.any(String) },
      recoveryCodes: { left: 10, of: 10 },
    });
  });
});

describe("a login with a second factor", () => {
  test("requires the app's code, and a wrong password gets the usual message", async () => {
    const { secret } = await turnOnAuthenticator(site, await site.logInAsOwner());
    expect([(await postLogin()).status, (await postLogin()).body]).toEqual([401, CODE_NEEDED]);
    expect((await postLogin({ password: "no password" })).body.code).toBe("wrong_credentials");
    expect((await postLogin({ code: "000000" })).body).toMatchObject({
      code: "second_factor",
      error: "That code didn't work. Wait for the next one, then try again.",
    });
    const { status, body, headers } = await postLogin({ code: computeCode(site, secret) });
    expect([status, body.username]).toEqual([200, OWNER.username]);
    expect(headers.getSetCookie().join()).toContain("limelight=");
  });

  test("accepts each code once, also when it is sent twice simultaneously", async () => {
    const { secret } = await turnOnAuthenticator(site, await site.logInAsOwner());
    const code = computeCode(site, secret);
    const both = await Promise.all([postLogin({ code }), postLogin({ code })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await postLogin({ code })).status).toBe(401);
    advanceToNextCode(site);
    expect((await postLogin({ code: computeCode(site, secret) })).status).toBe(200);
  });

  test("accepts each recovery code once, however it is typed", async () => {
    const { recoveryCodes } = await turnOnAuthenticator(site, await site.logInAsOwner());
    const [first = "", second = ""] = recoveryCodes;
    expect((await postLogin({ code: ` ${first.toUpperCase().replace("-", " ")}` })).status).toBe(
      200,
    );
    const again = await postLogin({ code: first });
    expect([again.status, again.body.error]).toEqual([
      401,
      "That code didn't work. Check it, or use another one.",
    ]);
    const client = site.visitor();
    expect((await postLogin({ code: second }, client)).status).toBe(200);
    const { body } = await client.get("/api/auth/security");
    expect(body.recoveryCodes.left).toBe(8);
  });

  test("compares recovery codes that are stored as argon2id hashes, each with its own salt", async () => {
    await turnOnAuthenticator(site, await site.logInAsOwner());
    const users = site.store.of(entities.users);
    const { recoveryCodes: stored } = users.read().value[0]!;
    const salts = stored!.hashes.map((hash) => hash.split("$")[4]);
    expect(stored!.hashes.every((hash) => hash.startsWith("$argon2id$"))).toBe(true);
    expect(new Set(salts).size).toBe(10);
  });

  test("refuses earlier recovery codes once new ones are created", async () => {
    const owner = await site.logInAsOwner();
    const { recoveryCodes } = await turnOnAuthenticator(site, owner);
    const logIn = async (code?: string) => (await postLogin({ code })).status;
    const { body } = await owner.post("/api/auth/recovery-codes");
    expect(await logIn(recoveryCodes[0])).toBe(401);
    expect(await logIn(body.recoveryCodes[0])).toBe(200);
    expect((await owner.delete("/api/auth/authenticator")).status).toBe(204);
    expect(await logIn()).toBe(200);
    expect((await owner.post("/api/auth/recovery-codes")).status).toBe(409);
  });

  test("checks only five guessed codes from many IP addresses, and still accepts a recovery code", async () => {
    const { recoveryCodes } = await turnOnAuthenticator(site, await site.logInAsOwner());
    site.stopClock();
    const tries = Array.from({ length: 40 }, (_, at) =>
      postLogin({ code: "000000" }, site.visitor(), `10.${at}.0.1`),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(5).fill(401), ...Array(35).fill(429)]);
    // Codes that can't be guessed have no waiting time.
    const code = recoveryCodes[0];
    expect((await postLogin({ code }, site.visitor(), "10.99.0.1")).status).toBe(200);
  });

  test("counts attempts with the right password but without a code as guesses", async () => {
    await turnOnAuthenticator(site, await site.logInAsOwner());
    site.stopClock();
    const visitor = site.visitor();
    const statuses: number[] = [];
    for (let at = 0; at < 8; at++) statuses.push((await postLogin({}, visitor, "10.0.0.1")).status);
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(3).fill(429)]);
  });
});
