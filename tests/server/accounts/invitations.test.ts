/** An invitation ends with the rights of the person who made it (specification, section 6.1). */
import { beforeEach, describe, expect, test } from "bun:test";
import { createInvitationCalls, readToken } from "../../support/invitations.ts";
import { callSlowly } from "../../support/callSlowly.ts";
import { type Client, ownerOf, setUpSiteForEach, startSite } from "../../support/testSite.ts";

const site = setUpSiteForEach(startSite);
const owner = ownerOf(site);

const { users, invite, join, getUserId } = createInvitationCalls(site, owner);

describe("an owner who loses rights", () => {
  let lee: Client;
  let id = "";
  beforeEach(async () => {
    lee = site.visitor();
    await join(readToken(await invite("admin", "lee@x.example")), { username: "lee" }, lee);
    id = await getUserId("lee");
  });
  const inviteByLee = async (email = "kim@agency.example") =>
    readToken((await lee.post("/api/invitations", { email, role: "admin" })).body);
  const isInvalid = async (token: string) =>
    (await site.visitor().post("/api/join/invitation", { token })).status === 404 &&
    (await join(token)).status === 404;

  test("has no valid invitations after being removed", async () => {
    const token = await inviteByLee();
    const otherToken = readToken(await invite("editor", "other@agency.example"));
    await owner.delete(`/api/users/${id}`);
    expect(await isInvalid(token)).toBe(true);
    expect((await join(otherToken, { username: "other" })).status).toBe(201);
  });

  test("has no invitation that somebody can accept at that moment", async () => {
    const token = await inviteByLee();
    const joining = join(token);
    await owner.delete(`/api/users/${id}`);
    const present = (await users()).length;
    await joining;
    expect(await users()).toHaveLength(present);
  });

  test("has no valid invitations after a demotion, even if the role is restored", async () => {
    const token = await inviteByLee();
    await owner.put(`/api/users/${id}`, { role: "editor" });
    expect(await isInvalid(token)).toBe(true);
    expect((await owner.get("/api/invitations")).body).toEqual([]);
    await owner.put(`/api/users/${id}`, { role: "admin" });
    expect(await isInvalid(token)).toBe(true);
  });

  test("has no valid invitations after another owner removed the second factor", async () => {
    const token = await inviteByLee();
    expect((await owner.delete(`/api/users/${id}/second-factor`)).status).toBe(204);
    expect(await isInvalid(token)).toBe(true);
  });

  test("can't create an invitation by a call that began before the loss", async () => {
    const sent = { email: "kim@agency.example", role: "admin" };
    const lower = () => owner.delete(`/api/users/${id}/second-factor`);
    expect(await callSlowly(lee, "POST", "/api/invitations", sent, lower)).toBe(401);
    expect((await owner.get("/api/invitations")).body).toEqual([]);
  });

  test("can't make anyone an owner by a call that began before the loss", async () => {
    await join(readToken(await invite()));
    const kim = await getUserId("kim");
    const raise = (meanwhile: () => unknown) =>
      callSlowly(lee, "PUT", `/api/users/${kim}`, { role: "admin" }, meanwhile);
    expect(await raise(() => owner.put(`/api/users/${id}`, { role: "reader" }))).toBe(403);
    await owner.put(`/api/users/${id}`, { role: "admin" });
    expect(await raise(() => owner.delete(`/api/users/${id}`))).toBe(401);
    expect((await users()).find(({ username }) => username === "kim")!.role).toBe("editor");
  });
});
