/** Calls that export, restore or erase much ask for the password again (specification, section 6.3). */
import { beforeEach, describe, expect, test } from "bun:test";
import { getEntityFields } from "../../../src/schema/entities/entity.ts";
import { allEntities } from "../../../src/schema/index.ts";
import {
  type Method,
  OWNER,
  ownerOf,
  setUpSiteForEach,
  startSite,
} from "../../support/testSite.ts";

const MINUTE_MS = 60_000;
const PROOF_NEEDED = {
  code: "proof_needed",
  error: "Confirm your password first, then try again.",
  requestId: expect.any(String),
};

const site = setUpSiteForEach(startSite);
const owner = ownerOf(site);
// The session begins at the start of the test's clock.
beforeEach(async () => void (await site.owner()));

const proveIdentity = (password: unknown = OWNER.password) =>
  owner.post("/api/auth/proof", { password });
const hasProof = async () => (await owner.get("/api/auth/proof")).status === 204;

describe("a proof of identity", () => {
  test("lasts ten minutes after the login, and ten more after entering the password again", async () => {
    site.advance(9 * MINUTE_MS);
    expect(await hasProof()).toBe(true);
    site.advance(2 * MINUTE_MS);
    const { status, body } = await owner.get("/api/auth/proof");
    expect({ status, body }).toMatchObject({ status: 403, body: PROOF_NEEDED });
    expect((await proveIdentity()).status).toBe(204);
    site.advance(9 * MINUTE_MS);
    expect(await hasProof()).toBe(true);
    site.advance(2 * MINUTE_MS);
    expect(await hasProof()).toBe(false);
  });

  test("is valid only for the session that gave it", async () => {
    const other = await site.logInAsOwner();
    site.advance(11 * MINUTE_MS);
    expect((await proveIdentity()).status).toBe(204);
    expect(await hasProof()).toBe(true);
    expect((await other.get("/api/auth/proof")).status).toBe(403);
    expect((await site.visitor().get("/api/auth/proof")).status).toBe(401);
    expect((await site.visitor().post("/api/auth/proof", OWNER)).status).toBe(401);
  });

  test("is refused for a wrong password with a message, and repeated guesses have to wait", async () => {
    site.stopClock();
    site.advance(11 * MINUTE_MS);
    for (const nothing of [undefined, "", 5, {}])
      expect((await proveIdentity(nothing ?? null)).body).toMatchObject({
        error: "Enter your password.",
      });
    const statuses = [];
    for (let at = 0; at < 6; at++) statuses.push((await proveIdentity("not the password")).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    expect(await hasProof()).toBe(false);
  });

  test("given while the server's clock was ahead ends once the clock is corrected", async () => {
    site.advance(11 * MINUTE_MS);
    await proveIdentity();
    site.advance(-60 * MINUTE_MS);
    expect(await hasProof()).toBe(false);
  });
});

/** Every call that asks for the password again; a new one is added here on purpose. */
const ROUTES_NEEDING_PROOF = {
  GET: "auth/proof backups/:id export",
  POST:
    "auth/authenticator auth/passkeys/options auth/profile auth/recovery-codes backups/:id/restore " +
    "calls-calendar invitations letters/:id/resume letters/:id/send letters/settings mail " +
    "mail/webhook mail/webhook/secret people/erase people/export push",
  PUT: "backups/keep login-rules users/:id",
  DELETE:
    "auth/authenticator auth/passkeys/:id auth/sessions auth/sessions/:id bin bin/:id " +
    "calls-calendar invitations/:id mail mail/webhook users/:id users/:id/second-factor",
} as const;

test("only the listed calls need a proof of identity, and they change nothing without it", async () => {
  site.advance(11 * MINUTE_MS);
  const needed: Record<string, string[]> = { GET: [], POST: [], PUT: [], DELETE: [] };
  const checkedPaths = /^\/api\/(?!.*(?:logout|login|join|setup)$)/;
  for (const { method, path } of site.app.routes as { method: Method; path: string }[]) {
    if (!(method in needed) || !checkedPaths.test(path)) continue;
    const sent = method === "GET" ? undefined : "no JSON";
    const before = site.readStored();
    const refused = await owner.call(method, path.replace(/:\w+/g, "x"), sent);
    if (refused.body?.code !== "proof_needed") continue;
    expect(refused).toMatchObject({ status: 403, body: PROOF_NEEDED });
    expect(site.readStored()).toBe(before);
    needed[method]!.push(path.slice("/api/".length));
  }
  const all = Object.entries(needed).map(([method, paths]) => [method, paths.sort().join(" ")]);
  expect(Object.fromEntries(all)).toEqual(ROUTES_NEEDING_PROOF);
});

test.each([
  ["GET", "/api/export", undefined],
  ["GET", "/api/email-subscriptions?limit=201", undefined],
  ["POST", "/api/email-subscriptions/search", { limit: 1000, search: "a" }],
] as const)("%s %s succeeds only with a proof of identity", async (method, path, body) => {
  site.advance(11 * MINUTE_MS);
  expect(await owner.call(method, path, body)).toMatchObject({ status: 403, body: PROOF_NEEDED });
  await proveIdentity();
  expect((await owner.call(method, path, body)).status).toBe(200);
});

describe("the text of an automatic reply to visitors", () => {
  const MAILED_FIELDS = allEntities.flatMap((entity) =>
    Object.entries(getEntityFields(entity)).flatMap(
      ([name, { isReauthenticationRequired, initial }]) =>
        isReauthenticationRequired
          ? [
              {
                field: `${entity.name}.${name}`,
                entity,
                name,
                value: initial === false ? true : "Buy at evil.example",
              },
            ]
          : [],
    ),
  );

  test("is only the site's name and the thank-you message of a form", () => {
    const names = MAILED_FIELDS.map(({ field }) => field);
    expect(names.toSorted()).toEqual(["forms.thanksMail", "forms.thanksWords", "site.name"]);
  });

  test.each(MAILED_FIELDS)(
    "can be changed only by an owner with a proof of identity: $field",
    async ({ entity, name, value }) => {
      const path = `/api/${entity.name}`;
      const isList = entity.shape === "collection";
      const id = isList && (await owner.post(path, {})).body.id;
      const editor = await site.logInAs("editor");
      site.advance(11 * MINUTE_MS);
      const before = site.readStored();
      const change = { [name]: value };
      const changed = (by = owner) =>
        isList ? by.put(`${path}/${id}`, change) : by.post(path, change);
      const writes = [changed, ...(isList ? [() => owner.post(path, change)] : [])];
      if (!isList)
        writes.push(() =>
          owner.post("/api/batch", { changes: [{ name: entity.name, values: change }] }),
        );
      for (const write of writes)
        expect(await write()).toMatchObject({ status: 403, body: PROOF_NEEDED });
      expect((await changed(editor)).body.code).toBe("not_allowed");
      expect(site.readStored()).toBe(before);
      await proveIdentity();
      for (const write of writes) expect((await write()).status).toBeLessThan(300);
      const { body } = await owner.get(path);
      const stored = isList ? body.find((each: { id: string }) => each.id === id) : body;
      expect(stored[name]).toEqual(value);
    },
  );

  test("can be saved unchanged without the password, but an earlier version is restored only with it", async () => {
    const { body } = await owner.post("/api/forms", { thanksWords: "Mine" });
    await owner.put(`/api/forms/${body.id}`, { thanksWords: "Later" });
    await owner.post("/api/site", { name: "Vera" });
    await owner.post("/api/site", { name: "Vera Later" });
    site.advance(11 * MINUTE_MS);
    const same = { title: "New", thanksMail: false, thanksWords: "Later" };
    expect((await owner.put(`/api/forms/${body.id}`, same)).status).toBe(200);
    expect((await owner.post("/api/site", { name: "Vera Later", agencyName: "A" })).status).toBe(
      200,
    );
    const before = site.readStored();
    const restores = ["forms", "site"].map(async (name) => {
      const versions = (await owner.get(`/api/history/${name}`)).body as { revision: number }[];
      return `/api/history/${name}/${versions[2]!.revision}/restore`;
    });
    const paths = await Promise.all(restores);
    for (const path of paths)
      expect(await owner.post(path, {})).toMatchObject({ status: 403, body: PROOF_NEEDED });
    expect(site.readStored()).toBe(before);
    await proveIdentity();
    for (const path of paths) expect((await owner.post(path, {})).status).toBe(200);
    expect((await owner.get("/api/site")).body.name).toBe("Vera");
  });
});

test("an owner without a proof of identity can read up to 200 items at once and search a list", async () => {
  site.advance(11 * MINUTE_MS);
  expect((await owner.get("/api/email-subscriptions?limit=200")).status).toBe(200);
  const response = await owner.post("/api/email-subscriptions/search", { search: "a" });
  expect(response.status).toBe(200);
});
