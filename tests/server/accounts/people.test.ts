/** Several people: roles, invitations, and that there is always an owner (specification, section 6.1). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Client } from "../../support/client.ts";
import { OWNER } from "../../support/site.ts";
import { type Site, startSite } from "../../support/startSite.ts";

let site: Site;
let owner: Client;
beforeEach(async () => {
  site = await startSite();
  owner = await site.loginAsOwner();
});
afterEach(async () => {
  expect(site.faults).toEqual([]);
  await site.stop();
});

const DAY = 24 * 3600_000;
const KIM = { username: "kim", password: "quiet rows of velvet" };
const tokenOf = ({ path }: { path: string }) => /#token=([\w-]{43})$/.exec(path)![1]!;
const invite = async (role = "editor", email = "kim@agency.example") =>
  (await owner.post("/api/invitations", { email, role })).body;
const join = (token: string, more: object = {}) =>
  site.visitor().post("/api/join", { token, ...KIM, ...more });
const users = async () => (await owner.get("/api/users")).body as Record<string, string>[];
const idOf = async (username: string) =>
  (await users()).find((user) => user.username === username)!.id!;

describe("an invitation", () => {
  test("is a link that lets one person in, once, with the role it is for", async () => {
    const made = await invite();
    const token = tokenOf(made);
    expect((await site.visitor().post("/api/join/invitation", { token })).body).toEqual({
      email: "kim@agency.example",
      role: "editor",
      siteName: "Your Name",
    });
    const kim = site.visitor();
    const joined = await kim.post("/api/join", { token, ...KIM });
    expect([joined.status, joined.body]).toEqual([
      201,
      { username: "kim", email: "kim@agency.example", role: "editor" },
    ]);
    expect((await kim.post("/api/hero", { subtitle: "By Kim" })).status).toBe(200);
    expect((await kim.get("/api/users")).status).toBe(403);
    expect((await join(token, { username: "kim2" })).status).toBe(404);
    expect((await owner.get("/api/invitations")).body).toEqual([]);
  });

  test("lets one in of several at the same moment", async () => {
    const token = tokenOf(await invite());
    const names = ["one", "two", "three"];
    const tried = await Promise.all(names.map((username) => join(token, { username })));
    expect(tried.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await users()).toHaveLength(2);
  });

  test("works for 7 days", async () => {
    const token = tokenOf(await invite());
    site.advance(7 * DAY - 60_000);
    expect((await site.visitor().post("/api/join/invitation", { token })).status).toBe(200);
    site.advance(61_000);
    const { status, body } = await join(token);
    expect([status, body.error]).toEqual([
      404,
      "This invitation no longer works. Ask for a new one.",
    ]);
  });

  test("ends when it is taken back, or made anew", async () => {
    const first = await invite();
    const second = await invite("reader");
    expect((await join(tokenOf(first))).status).toBe(404);
    expect((await owner.delete(`/api/invitations/${second.id}`)).status).toBe(204);
    expect((await join(tokenOf(second))).status).toBe(404);
    expect((await owner.delete(`/api/invitations/${second.id}`)).status).toBe(404);
  });

  test("is refused with a wrong address or role, and for who is there already", async () => {
    for (const [body, status] of [
      [{ email: "kim", role: "editor" }, 422],
      [{ email: "kim@agency.example", role: "king" }, 422],
      [{ email: "kim@agency.example" }, 422],
      [null, 422],
      [{ email: OWNER.email.toUpperCase(), role: "editor" }, 409],
    ] as const)
      expect((await owner.post("/api/invitations", JSON.stringify(body), JSON_TYPE)).status).toBe(
        status,
      );
    expect((await owner.get("/api/invitations")).body).toEqual([]);
  });

  test("asks for a good password and a free username, and stays open until then", async () => {
    const token = tokenOf(await invite());
    expect((await join(token, { password: "short" })).body.fields.password).toBeString();
    expect((await join(token, { username: OWNER.username })).status).toBe(409);
    expect((await join(token, { username: " " })).status).toBe(422);
    expect((await join("x".repeat(43))).status).toBe(404);
    expect((await site.visitor().post("/api/join", {})).status).toBe(404);
    expect((await join(token)).status).toBe(201);
  });

  test("leaves nothing behind that opens the site", async () => {
    const token = tokenOf(await invite());
    expect(site.stored()).not.toContain(token);
    expect((await owner.get("/api/invitations")).text).not.toContain("tokenHash");
  });

  test("needs the password once more", async () => {
    site.advance(11 * 60_000);
    const { status, body } = await owner.post("/api/invitations", {
      email: "kim@agency.example",
      role: "admin",
    });
    expect([status, body.code]).toEqual([403, "proof_needed"]);
  });
});

const JSON_TYPE = { "content-type": "application/json" };

describe("roles", () => {
  test("change at once, for the sessions that are open too", async () => {
    const kim = site.visitor();
    await kim.post("/api/join", { token: tokenOf(await invite("reader")), ...KIM });
    expect((await kim.post("/api/hero", { subtitle: "x" })).status).toBe(403);
    const id = await idOf("kim");
    expect((await owner.put(`/api/users/${id}`, { role: "editor" })).body.role).toBe("editor");
    expect((await kim.post("/api/hero", { subtitle: "x" })).status).toBe(200);
    expect((await owner.put(`/api/users/${id}`, { role: "king" })).status).toBe(422);
    expect((await owner.put("/api/users/nobody", { role: "editor" })).status).toBe(404);
  });

  test("the last owner can be neither lowered nor removed", async () => {
    const id = await idOf(OWNER.username);
    const before = site.stored();
    for (const answer of [
      await owner.put(`/api/users/${id}`, { role: "editor" }),
      await owner.delete(`/api/users/${id}`),
    ])
      expect([answer.status, answer.body.error]).toEqual([
        409,
        "A site needs an owner. Make somebody else an owner first.",
      ]);
    expect(site.stored()).toBe(before);
  });

  test("of two owners who lower each other at the same moment, one stays", async () => {
    const kim = site.visitor();
    await kim.post("/api/join", { token: tokenOf(await invite("admin")), ...KIM });
    const [me, them] = [await idOf(OWNER.username), await idOf("kim")];
    const done = await Promise.all([
      owner.put(`/api/users/${them}`, { role: "editor" }),
      kim.put(`/api/users/${me}`, { role: "editor" }),
    ]);
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("who is removed is out at once", async () => {
    const kim = site.visitor();
    await kim.post("/api/join", { token: tokenOf(await invite()), ...KIM });
    const id = await idOf("kim");
    expect((await owner.delete(`/api/users/${id}`)).status).toBe(204);
    expect((await kim.get("/api/auth/me")).status).toBe(401);
    const again = await site.visitor().post("/api/auth/login", KIM);
    expect(again.status).toBe(401);
    expect((await owner.delete(`/api/users/${id}`)).status).toBe(404);
  });

  test("a reader reads and marks enquiries, and exports none", async () => {
    const reader = await site.loginAs("reader");
    const { body: form } = await owner.post("/api/forms", { title: "Talk to me" });
    expect((await reader.get(`/api/form-submissions/${form.id}`)).status).toBe(200);
    const all = await reader.get(`/api/form-submissions/${form.id}?limit=1000`);
    expect([all.status, all.body.code]).toEqual([403, "not_allowed"]);
    expect((await reader.get("/api/email-subscriptions")).status).toBe(403);
  });

  test("an editor deletes no form, and puts back content but nothing that visitors sent", async () => {
    const editor = await site.loginAs("editor");
    const { body: form } = await owner.post("/api/forms", { title: "Talk to me" });
    expect((await editor.delete(`/api/forms/${form.id}`)).status).toBe(403);
    const { body: fact } = await editor.post("/api/statistics", { value: "3", label: "Shows" });
    await editor.delete(`/api/statistics/${fact.id}`);
    expect((await editor.post(`/api/bin/${fact.id}/restore`)).status).toBe(200);
    await site.visitor().post("/api/email-subscriptions", { email: "eve@example.com" });
    const [row] = (await owner.get("/api/email-subscriptions")).body;
    await owner.delete(`/api/email-subscriptions/${row.id}`);
    expect((await editor.post(`/api/bin/${row.id}/restore`)).status).toBe(403);
  });
});

test("the list of people tells who is there, and no secret", async () => {
  const { body, text } = await owner.get("/api/users");
  expect(body).toEqual([
    {
      id: expect.any(String),
      username: OWNER.username,
      email: OWNER.email,
      role: "admin",
      createdAt: expect.any(String),
      secondFactor: false,
      lastSeenAt: expect.any(String),
      current: true,
    },
  ]);
  expect(text).not.toContain("argon2");
});

test("the audit log says who invited, joined, was changed and removed", async () => {
  const token = tokenOf(await invite());
  await join(token);
  const id = await idOf("kim");
  await owner.put(`/api/users/${id}`, { role: "reader" });
  await owner.delete(`/api/users/${id}`);
  const { body } = await owner.get("/api/audit-log");
  expect(body.map(({ who, what }: Record<string, string>) => `${who} ${what}`)).toEqual([
    "Ada removed kim",
    "Ada gave kim the role Reader",
    "kim joined as Editor",
    "Ada invited kim@agency.example as Editor",
    "Ada logged in",
  ]);
});
