/** Several people: roles, invitations, and that there is always an owner (specification, section 6.1). */
import { describe, expect, test } from "bun:test";
import {
  OWNER,
  ownerOf,
  formatRefusal,
  setUpSiteForEach,
  startSite,
} from "../../support/testSite.ts";
import { createInvitationCalls, KIM, readToken } from "../../support/invitations.ts";

const site = setUpSiteForEach(startSite);
const owner = ownerOf(site);

const DAY_MS = 24 * 3600_000;
const { users, invite, join, getUserId } = createInvitationCalls(site, owner);
/** Kim, who has joined with this role. */
async function joinAsKim(role: string) {
  const kim = site.visitor();
  expect((await join(readToken(await invite(role)), {}, kim)).status).toBe(201);
  return kim;
}

describe("an invitation", () => {
  test("lets one person join once, with the invited role", async () => {
    const made = await invite();
    const token = readToken(made);
    expect((await site.visitor().post("/api/join/invitation", { token })).body).toEqual({
      email: "kim@agency.example",
      role: "editor",
      siteName: "Your Name",
    });
    const kim = site.visitor();
    const joined = await join(token, {}, kim);
    const user = { username: "kim", email: "kim@agency.example", role: "editor" };
    expect([joined.status, joined.body]).toEqual([201, user]);
    expect((await kim.post("/api/hero", { subtitle: "By Kim" })).status).toBe(200);
    expect((await join(token, { username: "kim2" })).status).toBe(404);
    expect((await owner.get("/api/invitations")).body).toEqual([]);
  });

  test("lets only one of several people join who use it at the same time", async () => {
    const token = readToken(await invite());
    const names = ["one", "two", "three"];
    const tried = await Promise.all(names.map((username) => join(token, { username })));
    expect(tried.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await users()).toHaveLength(2);
  });

  test("works for 7 days", async () => {
    const token = readToken(await invite());
    site.advance(7 * DAY_MS - 60_000);
    expect((await site.visitor().post("/api/join/invitation", { token })).status).toBe(200);
    site.advance(61_000);
    const { status, body } = await join(token);
    expect(formatRefusal({ status, body })).toBe(
      "404 This invitation no longer works. Ask for a new one.",
    );
  });

  test("ends when it is canceled or replaced by a new one", async () => {
    const first = await invite();
    const second = await invite("reader");
    expect((await join(readToken(first))).status).toBe(404);
    expect((await owner.delete(`/api/invitations/${second.id}`)).status).toBe(204);
    expect((await join(readToken(second))).status).toBe(404);
    expect((await owner.delete(`/api/invitations/${second.id}`)).status).toBe(404);
  });

  test("is refused for an invalid email address or role, and for people who already have an account", async () => {
    const statusOf = async (body: unknown) => (await owner.post("/api/invitations", body)).status;
    const email = "kim@agency.example";
    for (const wrong of [
      { email: "kim", role: "editor" },
      { email, role: "king" },
      { email },
      null,
    ])
      expect(await statusOf(wrong)).toBe(422);
    expect(await statusOf({ email: OWNER.email.toUpperCase(), role: "editor" })).toBe(409);
    expect((await owner.get("/api/invitations")).body).toEqual([]);
  });

  test("stays valid until it is accepted with a strong password and a free username", async () => {
    const token = readToken(await invite());
    expect((await join(token, { password: "short" })).body.fields.password).toBeString();
    expect((await join(token, { username: OWNER.username })).status).toBe(409);
    expect((await join(token, { username: " " })).status).toBe(422);
    expect((await join("x".repeat(43))).status).toBe(404);
    expect((await site.visitor().post("/api/join", {})).status).toBe(404);
    expect((await join(token)).status).toBe(201);
  });

  test("has a token that is in no stored file", async () => {
    const token = readToken(await invite());
    expect(site.readStored()).not.toContain(token);
    expect((await owner.get("/api/invitations")).text).not.toContain("tokenHash");
  });
});

describe("roles", () => {
  test("change at once, also for open sessions", async () => {
    const kim = await joinAsKim("reader");
    expect((await kim.post("/api/hero", { subtitle: "x" })).status).toBe(403);
    const id = await getUserId("kim");
    expect((await owner.put(`/api/users/${id}`, { role: "editor" })).body.role).toBe("editor");
    expect((await kim.post("/api/hero", { subtitle: "x" })).status).toBe(200);
    expect((await owner.put(`/api/users/${id}`, { role: "king" })).status).toBe(422);
    expect((await owner.put("/api/users/nobody", { role: "editor" })).status).toBe(404);
  });

  test("the last owner can be neither demoted nor removed", async () => {
    const id = await getUserId(OWNER.username);
    const before = site.readStored();
    for (const answer of [
      await owner.put(`/api/users/${id}`, { role: "editor" }),
      await owner.delete(`/api/users/${id}`),
    ])
      expect(formatRefusal(answer)).toBe(
        "409 A site needs at least one owner. Make someone else an owner first.",
      );
    expect(site.readStored()).toBe(before);
  });

  test("of two owners who lower each other's role simultaneously, one stays an owner", async () => {
    const kim = await joinAsKim("admin");
    const [me, them] = [await getUserId(OWNER.username), await getUserId("kim")];
    const done = await Promise.all([
      owner.put(`/api/users/${them}`, { role: "editor" }),
      kim.put(`/api/users/${me}`, { role: "editor" }),
    ]);
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("of two owners who remove each other simultaneously, one stays, even if there is a third owner", async () => {
    const kim = await joinAsKim("admin");
    const [me, them] = [await getUserId(OWNER.username), await getUserId("kim")];
    const third = { username: "third", email: "third@agency.example" };
    await join(readToken(await invite("admin", third.email)), third);
    expect(await users()).toHaveLength(3);
    const done = await Promise.all([
      owner.delete(`/api/users/${them}`),
      kim.delete(`/api/users/${me}`),
    ]);
    expect(done.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(done.filter(({ status }) => [401, 403].includes(status))).toHaveLength(1);
  });

  test("a removed person is logged out at once", async () => {
    const kim = await joinAsKim("editor");
    const id = await getUserId("kim");
    expect((await owner.delete(`/api/users/${id}`)).status).toBe(204);
    expect((await kim.get("/api/auth/me")).status).toBe(401);
    const again = await site.visitor().post("/api/auth/login", KIM);
    expect(again.status).toBe(401);
    expect((await owner.delete(`/api/users/${id}`)).status).toBe(404);
  });

  test("a reader can read enquiries, but not export them", async () => {
    const reader = await site.logInAs("reader");
    const { body: form } = await owner.post("/api/forms", { title: "Talk to me" });
    expect((await reader.get(`/api/form-submissions/${form.id}`)).status).toBe(200);
    const all = await reader.get(`/api/form-submissions/${form.id}?limit=1000`);
    expect([all.status, all.body.code]).toEqual([403, "not_allowed"]);
  });

  test("an editor can restore deleted content, but nothing that visitors sent", async () => {
    const editor = await site.logInAs("editor");
    const { body: fact } = await editor.post("/api/statistics", { value: "3", label: "Shows" });
    await editor.delete(`/api/statistics/${fact.id}`);
    expect((await editor.post(`/api/bin/${fact.id}/restore`)).status).toBe(200);
    await site.visitor().post("/api/email-subscriptions", { email: "eve@example.com" });
    const [row] = (await owner.get("/api/email-subscriptions")).body;
    await owner.delete(`/api/email-subscriptions/${row.id}`);
    expect((await editor.post(`/api/bin/${row.id}/restore`)).status).toBe(403);
  });
});

test("the list of people shows every account, without password hashes", async () => {
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
