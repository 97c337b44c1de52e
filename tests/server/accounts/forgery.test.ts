/** Forged and stale session tokens (specification, section 6.3). */
import { beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { entities } from "../../../src/schema/index.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);
let secret: Uint8Array;
let validClaims: Claims;

type Claims = Record<string, unknown>;

beforeAll(async () => {
  secret = await site.store.readSecret();
  const token = (await site.logInAsOwner()).cookies().split("=")[1]!;
  validClaims = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());
});

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs like the program (RFC 7515), with any claims that a forger may choose. */
function sign(claims: Claims, key = secret, alg = "HS256"): string {
  const content = `${base64url({ alg, typ: "JWT" })}.${base64url(claims)}`;
  const hash = alg.replace("HS", "sha");
  return `${content}.${createHmac(hash, key).update(content).digest("base64url")}`;
}

const fetchStatus = async (token: string, name = "limelight") =>
  (await site.visitor().get("/api/auth/me", { cookie: `${name}=${token}` })).status;

const omitClaim = (claim: string) =>
  Object.fromEntries(Object.entries(validClaims).filter(([name]) => name !== claim));

test("the secret that signs session tokens has 256 bits, and a correctly signed token is accepted", async () => {
  expect(secret.byteLength).toBe(32);
  expect(await fetchStatus(sign(validClaims))).toBe(200);
});

test("a session token without a signature (alg none) is refused", async () => {
  const [, claims, signature] = sign(validClaims).split(".");
  for (const alg of ["none", "None", "NONE", ""]) {
    const header = base64url({ alg });
    expect(await fetchStatus(`${header}.${claims}.`)).toBe(401);
    expect(await fetchStatus(`${header}.${claims}.${signature}`)).toBe(401);
  }
});

test("a session token signed with another algorithm than HS256 is refused", async () => {
  const longer = new Uint8Array(64);
  longer.set(secret);
  expect(await fetchStatus(sign(validClaims, secret, "HS512"))).toBe(401);
  expect(await fetchStatus(sign(validClaims, longer, "HS384"))).toBe(401);
});

test.each(["exp", "iss", "aud", "jti", "sub"])(
  "a session token without the claim %s is refused",
  async (claim) => {
    expect(await fetchStatus(sign(omitClaim(claim)))).toBe(401);
  },
);

test("a session token that expired, or has another secret, issuer, audience, user or session, is refused", async () => {
  const other = crypto.getRandomValues(new Uint8Array(32));
  expect(await fetchStatus(sign(validClaims, other))).toBe(401);
  for (const forged of [
    { iss: "elsewhere" },
    { aud: "elsewhere" },
    { sub: Bun.randomUUIDv7() },
    { jti: Bun.randomUUIDv7() },
    { exp: 1 },
  ])
    expect(await fetchStatus(sign({ ...validClaims, ...forged }))).toBe(401);
});

test("garbage in the session cookie opens no session and causes no error", async () => {
  for (const token of ["", "x", "a.b.c", "%E0%A4%A", '{"a":1}', "[]", "é".repeat(50), "..", "1"])
    expect(await fetchStatus(encodeURIComponent(token))).toBe(401);
  expect(await fetchStatus("%E0%A4%A")).toBe(401);
  expect(await fetchStatus("x".repeat(8000))).toBe(401);
  expect(site.reportedErrors).toEqual([]);
});

test("a session of a removed user is refused", async () => {
  const owner = await site.logInAsOwner();
  const users = site.store.of(entities.users);
  const before = users.read().value;
  await users.update((all) => all.map((user) => ({ ...user, id: Bun.randomUUIDv7() })));
  expect((await owner.get("/api/auth/me")).status).toBe(401);
  await users.update(() => before);
});
