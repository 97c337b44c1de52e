/** A passkey logs in to the account it was made for, and to no other (specification, section 6.8). */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { createUser } from "../../../src/server/accounts/users.ts";
import { createPasskeys } from "../../../src/server/accounts/passkeys.ts";
import { createPasswords } from "../../../src/server/accounts/passwords.ts";
import { NO_CHANNEL } from "../../../src/server/shared/instanceCoordinator.ts";
import { addPasskey, logInWithPasskey, createPasskey } from "../../support/passkey.ts";
import { findFreePort } from "../../support/ports.ts";
import { callSlowly } from "../../support/callSlowly.ts";
import { Client, OWNER, formatRefusal, type Site, startSite } from "../../support/testSite.ts";

let site: Site;
let url = "";
beforeEach(async () => {
  const port = findFreePort();
  url = `http://localhost:${port}`;
  site = await startSite({ port, env: { SITE_URL: url } });
});
afterEach(() => site.stop());

/** The owner and an editor, under the names that their passkeys are for. */
async function logInTwoPeople(): Promise<[Client, Client]> {
  const kim = { username: "kim", email: "kim@agency.example", password: OWNER.password };
  const tools = { store: site.store, passwords: createPasswords(), clock: Date.now };
  await createUser(tools, kim, { role: "editor" });
  const logIn = async ({ username }: { readonly username: string }) => {
    const client = new Client(url);
    const sent = { username, password: OWNER.password };
    expect((await client.post("/api/auth/login", sent)).status).toBe(200);
    return client;
  };
  return [await logIn(OWNER), await logIn(kim)];
}

test.each([
  [undefined, "isn't set. Set SITE_URL and restart Limelight."],
  ["https://203.0.113.7", "SITE_URL has an IP address."],
  ["http://example.com", "Passkeys require HTTPS."],
  ["https://example.com", undefined],
])("with SITE_URL %p, the reason that passkeys are unavailable is %p", (siteUrl, text) => {
  const options = { siteUrl, secret: new Uint8Array(32), clock: Date.now, channel: NO_CHANNEL };
  expect(createPasskeys(options).unavailableReason).toEqual(text && expect.stringContaining(text));
});

test("nobody can add another person's passkey to their own account", async () => {
  const [owner, editor] = await logInTwoPeople();
  const passkey = createPasskey(url);
  expect((await addPasskey(editor, passkey)).status).toBe(201);
  const copied = await addPasskey(owner, createPasskey(url, passkey.id));
  expect(formatRefusal(copied)).toBe(
    "409 This passkey already belongs to an account on this site.",
  );
  expect((await addPasskey(editor, passkey)).status).toBe(409);
  const { body } = await logInWithPasskey(new Client(url), passkey);
  expect(body.username).toBe("kim");
  const counts = site.store
    .of(entities.users)
    .read()
    .value.map((user) => user.passkeys.length);
  expect(counts).toEqual([0, 1]);
});

test("of two people who add the same passkey simultaneously, one succeeds", async () => {
  const people = await logInTwoPeople();
  const passkey = createPasskey(url);
  const tried = await Promise.all(people.map((each) => addPasskey(each, passkey)));
  expect(tried.map(({ status }) => status).toSorted()).toEqual([201, 409]);
});

test("a passkey isn't added if its sender's session ends while the call is being sent", async () => {
  const [owner, kim] = await logInTwoPeople();
  const { challenge } = (await kim.post("/api/auth/passkeys/options")).body;
  const answer = createPasskey(url).register(challenge);
  const { id } = site.store
    .of(entities.users)
    .read()
    .value.find(({ username }) => username === "kim")!;
  const sent = { name: "Phone", answer };
  const end = () => owner.delete(`/api/users/${id}/second-factor`);
  expect(await callSlowly(kim, "POST", "/api/auth/passkeys", sent, end)).toBe(401);
  const [, stored] = site.store.of(entities.users).read().value;
  expect(stored!.passkeys).toEqual([]);
});

test("a passkey's login response is accepted only once, and never with a forged challenge", async () => {
  const [owner] = await logInTwoPeople();
  const passkey = createPasskey(url);
  await addPasskey(owner, passkey);
  const thief = new Client(url);
  const logIn = (answer: object) => thief.post("/api/auth/passkey-login", answer);
  const { body } = await thief.post("/api/auth/passkey-options", { alone: true });
  const answer = passkey.logIn(body.challenge) as { readonly response: object };
  expect((await logIn(answer)).status).toBe(200);
  const replayed = await logIn(answer);
  expect([replayed.status, replayed.body.error]).toEqual([
    401,
    "The passkey wasn't accepted. Try again, or log in with your password.",
  ]);
  const clientData = { type: "webauthn.get", challenge: "x".repeat(75), origin: url };
  const clientDataJSON = Buffer.from(JSON.stringify(clientData)).toString("base64url");
  const changed = { ...answer, response: { ...answer.response, clientDataJSON } };
  expect((await logIn(changed)).status).toBe(401);
  expect((await logIn({ id: "nobody" })).status).toBe(401);
  expect((await logIn({})).status).toBe(422);
});
