/** A second factor that an owner requires of everyone (specification, section 6.8). */
import { describe, expect, test } from "bun:test";
import { changeUser, findUser, resetPassword } from "../../../src/server/accounts/users.ts";
import { createPasswords } from "../../../src/server/accounts/passwords.ts";
import { type Role, ROLES } from "../../../src/schema/core/roles.ts";
import { computeCode, turnOnAuthenticator } from "../../support/authenticator.ts";
import {
  type Client,
  OWNER,
  formatRefusal,
  setUpSiteForEach,
  startSite,
} from "../../support/testSite.ts";

const site = setUpSiteForEach(() => startSite({ env: { RATE_LIMIT: "off" } }));

/** An owner with an authenticator app who requires it of everyone. */
async function requireSecondFactor(): Promise<{ owner: Client; secret: string }> {
  const owner = await site.logInAsOwner();
  const { secret } = await turnOnAuthenticator(site, owner);
  const { status, body } = await owner.put("/api/login-rules", { secondFactor: true });
  expect([status, body]).toEqual([200, { secondFactor: true }]);
  return { owner, secret };
}

/** Stores a passkey for an account. */
async function addPasskeyTo(username: string): Promise<void> {
  const stored = { id: "a", name: "My phone", publicKey: "", counter: 0, transports: [] };
  const passkey = { ...stored, createdAt: new Date().toISOString(), lastUsedAt: null };
  const { id } = findUser(site.store, username)!;
  await changeUser(site.store, id, (user) => ({ ...user, passkeys: [passkey] }));
}

async function logIn(username: string, more: object = {}) {
  const client = site.visitor();
  const sent = { username, password: OWNER.password, ...more };
  return { client, ...(await client.post("/api/auth/login", sent)) };
}

/** The username of someone with a role who logged in before the rule existed. */
const createPerson = async (role: Role) =>
  (await (await site.logInAs(role)).get("/api/auth/me")).body.username as string;

const DUE_MESSAGE =
  "This site requires two-factor authentication. Set it up in the dashboard first.";

describe.each(ROLES.map(({ value }) => value))(
  "a person with the role %s but no second factor",
  (role) => {
    test("has to set one up at the next login once the site requires it", async () => {
      const before = await site.logInAs(role);
      const { username } = (await before.get("/api/auth/me")).body;
      await requireSecondFactor();
      expect((await before.get("/api/auth/me")).status).toBe(401);
      const { client, status, body } = await logIn(username);
      const user = { username, email: `${username}@example.com`, role };
      expect([status, body]).toEqual([200, { ...user, owesSecondFactor: true }]);
      const refused = await client.post("/api/auth/profile", { username: "other" });
      expect([refused.body.code, formatRefusal(refused)]).toEqual([
        "second_factor_due",
        `403 ${DUE_MESSAGE}`,
      ]);
      const { secret } = await turnOnAuthenticator(site, client);
      expect((await client.get("/api/auth/me")).body.owesSecondFactor).toBeUndefined();
      expect((await client.post("/api/auth/profile", { username: "other" })).status).toBe(200);
      expect((await logIn("other")).body.code).toBe("second_factor");
      expect((await logIn("other", { code: computeCode(site, secret) })).status).toBe(200);
    });
  },
);

test("an invited person can only log out until they set up the required second factor", async () => {
  const { owner } = await requireSecondFactor();
  const invited = { email: "kim@agency.example", role: "editor" };
  const { path } = (await owner.post("/api/invitations", invited)).body;
  const kim = site.visitor();
  const token = path.split("token=")[1];
  const joined = await kim.post("/api/join", { token, username: "kim", password: OWNER.password });
  expect([joined.status, joined.body.owesSecondFactor]).toEqual([201, true]);
  expect((await kim.post("/api/hero", { subtitle: "Mine" })).body.code).toBe("second_factor_due");
  expect((await kim.post("/api/auth/logout")).status).toBe(204);
  expect((await kim.get("/api/auth/me")).status).toBe(401);
});

describe("a passkey without an authenticator app", () => {
  test("is required in addition to the password while the site requires a second factor", async () => {
    const username = await createPerson("editor");
    await addPasskeyTo(username);
    const { client: before } = await logIn(username);
    // Without the rule only people with an app can have recovery codes.
    expect((await before.post("/api/auth/recovery-codes")).status).toBe(409);
    const { owner } = await requireSecondFactor();
    expect((await logIn(username)).body.code).toBe("second_factor");
    expect((await logIn(username, { passkey: { id: "a" } })).body.code).toBe("second_factor");
    await owner.put("/api/login-rules", { secondFactor: false });
    const { client } = await logIn(username);
    await owner.put("/api/login-rules", { secondFactor: true });
    expect((await client.post("/api/auth/recovery-codes")).status).toBe(401);
  });

  test("can have recovery codes, but can't be removed while the site requires a second factor", async () => {
    const owner = await site.logInAsOwner();
    await addPasskeyTo(OWNER.username);
    expect((await owner.put("/api/login-rules", { secondFactor: true })).status).toBe(200);
    const { recoveryCodes } = (await owner.post("/api/auth/recovery-codes")).body;
    expect((await logIn(OWNER.username)).body.code).toBe("second_factor");
    const { status, client } = await logIn(OWNER.username, { code: recoveryCodes[0] });
    expect(status).toBe(200);
    expect((await client.get("/api/auth/security")).body).toMatchObject({
      isAsked: true,
      recoveryCodes: { left: 9, of: 10 },
    });
    // The last passkey can't be removed.
    const removed = await client.delete("/api/auth/passkeys/a");
    expect([removed.status, removed.body.error]).toEqual([
      409,
      "This site requires two-factor authentication. Set up another method before you remove this one.",
    ]);
  });
});

describe("the requirement of a second factor", () => {
  test("can be turned on only by an owner who has a second factor", async () => {
    const owner = await site.logInAsOwner();
    const refused = await owner.put("/api/login-rules", { secondFactor: true });
    expect(formatRefusal(refused)).toBe(
      "409 Set up two-factor authentication for yourself first, under Security.",
    );
    expect((await owner.put("/api/login-rules", { secondFactor: "yes" })).status).toBe(422);
    expect((await owner.get("/api/login-rules")).body).toEqual({ secondFactor: false });
  });

  test("ends every session except the one that turned it on", async () => {
    const other = await site.logInAsOwner();
    const { owner, secret } = await requireSecondFactor();
    expect((await other.get("/api/auth/me")).status).toBe(401);
    expect((await owner.get("/api/auth/me")).status).toBe(200);
    const turnedOff = await owner.delete("/api/auth/authenticator");
    expect([turnedOff.status, turnedOff.body.code]).toEqual([409, "conflict"]);
    expect((await logIn(OWNER.username)).body.code).toBe("second_factor");
    expect((await logIn(OWNER.username, { code: computeCode(site, secret) })).status).toBe(200);
  });
});

describe("a person who lost their second factor", () => {
  test("sets up a new one at the next login, after an owner has removed the lost one", async () => {
    const username = await createPerson("editor");
    const { owner } = await requireSecondFactor();
    const { client } = await logIn(username);
    await turnOnAuthenticator(site, client);
    expect((await logIn(username)).body.code).toBe("second_factor");
    const people = (await owner.get("/api/users")).body as Record<string, unknown>[];
    const them = people.find((person) => person["username"] === username)!;
    expect(them["secondFactor"]).toBe(true);
    expect((await owner.delete(`/api/users/${them["id"]}/second-factor`)).status).toBe(204);
    expect((await client.get("/api/auth/me")).status).toBe(401);
    expect((await logIn(username)).body.owesSecondFactor).toBe(true);
  });

  test("sets up a new one after a password reset on the command line, even as the last owner", async () => {
    await requireSecondFactor();
    const password = "another quiet stage";
    const tools = { store: site.store, passwords: createPasswords(), clock: Date.now };
    await resetPassword(tools, OWNER.username, password);
    const { status, body } = await logIn(OWNER.username, { password });
    expect([status, body.owesSecondFactor]).toEqual([200, true]);
  });
});
