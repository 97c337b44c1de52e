/** What exports, restores or erases much asks for the password once more (specification, section 6.3). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Client } from "../../support/client.ts";
import { OWNER } from "../../support/site.ts";
import { type Site, startSite } from "../../support/startSite.ts";

const MINUTE = 60_000;
const NEEDED = {
  code: "proof_needed",
  error: "Confirm with your password first, then try again.",
  requestId: expect.any(String),
};

let site: Site;
let owner: Client;
beforeEach(async () => {
  site = await startSite();
  owner = await site.owner();
});
afterEach(() => site.stop());

const prove = (password: unknown = OWNER.password) => owner.post("/api/auth/proof", { password });
const isProved = async () => (await owner.get("/api/auth/proof")).status === 204;

describe("a proof", () => {
  test("is the login for ten minutes, then the password for ten more", async () => {
    site.advance(9 * MINUTE);
    expect(await isProved()).toBe(true);
    site.advance(2 * MINUTE);
    const { status, body } = await owner.get("/api/auth/proof");
    expect({ status, body }).toMatchObject({ status: 403, body: NEEDED });
    expect((await prove()).status).toBe(204);
    site.advance(9 * MINUTE);
    expect(await isProved()).toBe(true);
    site.advance(2 * MINUTE);
    expect(await isProved()).toBe(false);
  });

  test("holds for the session that gave it alone", async () => {
    const other = await site.loginAsOwner();
    site.advance(11 * MINUTE);
    expect((await prove()).status).toBe(204);
    expect(await isProved()).toBe(true);
    expect((await other.get("/api/auth/proof")).status).toBe(403);
    expect((await site.visitor().get("/api/auth/proof")).status).toBe(401);
    expect((await site.visitor().post("/api/auth/proof", OWNER)).status).toBe(401);
  });

  test("is refused with words for a wrong password, and guessing is slowed down", async () => {
    site.stopClock();
    site.advance(11 * MINUTE);
    for (const nothing of [undefined, "", 5, {}])
      expect((await prove(nothing ?? null)).body).toMatchObject({ error: "Type your password." });
    const statuses = [];
    for (let at = 0; at < 6; at++) statuses.push((await prove("not the password")).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    expect(await isProved()).toBe(false);
  });

  test("given while the clock was ahead lasts no longer for that", async () => {
    site.advance(11 * MINUTE);
    await prove();
    site.advance(-60 * MINUTE);
    expect(await isProved()).toBe(false);
  });
});

test.each([
  ["GET", "/api/export", undefined, 200],
  ["GET", "/api/email-subscriptions?limit=201", undefined, 200],
  ["POST", "/api/email-subscriptions/search", { limit: 1000, search: "a" }, 200],
  ["POST", "/api/people/export", { email: "a@example.com" }, 200],
  ["POST", "/api/people/erase", { email: "a@example.com" }, 200],
] as const)("%s %s needs a proof", async (method, path, body, status) => {
  site.advance(11 * MINUTE);
  const before = site.stored();
  const refused = await owner.call(method, path, body);
  expect(refused).toMatchObject({ status: 403, body: NEEDED });
  expect(site.stored()).toBe(before);
  await prove();
  expect((await owner.call(method, path, body)).status).toBe(status);
});

test("taking back an invitation, emptying the bin and letting one thing go need a proof", async () => {
  const { body: invited } = await owner.post("/api/invitations", {
    email: "kim@agency.example",
    role: "editor",
  });
  const { body: fact } = await owner.post("/api/statistics", { value: "3", label: "Shows" });
  const { body: other } = await owner.post("/api/statistics", { value: "4", label: "Tours" });
  for (const { id } of [fact, other]) await owner.delete(`/api/statistics/${id}`);
  site.advance(11 * MINUTE);
  const paths = [`/api/invitations/${invited.id}`, `/api/bin/${fact.id}`, "/api/bin"];
  for (const path of paths)
    expect(await owner.delete(path)).toMatchObject({ status: 403, body: NEEDED });
  expect((await owner.get("/api/invitations")).body).toHaveLength(1);
  expect((await owner.get("/api/bin")).body).toHaveLength(2);
  await prove();
  for (const path of paths) expect((await owner.delete(path)).status).toBeOneOf([200, 204]);
  expect((await owner.get("/api/bin")).body).toEqual([]);
});

test("a list is read 200 at a time without one", async () => {
  site.advance(11 * MINUTE);
  expect((await owner.get("/api/email-subscriptions?limit=200")).status).toBe(200);
  const found = await owner.post("/api/email-subscriptions/search", { search: "a" });
  expect(found.status).toBe(200);
});
