/** The first run: a one-time link makes the owner, and nothing else does (specification, section 1.4). */
import { entities } from "../../../src/schema/index.ts";
import { expect, test } from "bun:test";
import { createOwner, resetPassword } from "../../../src/server/accounts/owners.ts";
import { passwords } from "../../../src/server/accounts/passwords.ts";
import { openSetup } from "../../../src/server/accounts/setup.ts";
import { OWNER, siteForEach, startSite } from "../../support/testSite.ts";

const site = siteForEach(() => startSite({ owner: false }));

const tokenOf = () => new URLSearchParams(site.setup!.newPath().split("#")[1]).get("token")!;
const isGood = async (token?: string) => {
  const { status } = await site.visitor().post("/api/setup/token", { token });
  return status === 200;
};
const setup = (more: object = {}) =>
  site.visitor().post("/api/setup", { token: tokenOf(), ...OWNER, siteName: "Ada Star", ...more });
const MINUTE = 60_000;

test("the link's token has 256 bits, and its page is found with it only", async () => {
  expect(site.setup!.newPath()).toMatch(/^\/admin\/setup#token=[a-z\d]+\.[\w-]{43}$/);
  expect(await isGood(tokenOf())).toBe(true);
  for (const token of ["", "x", tokenOf().slice(1), `${tokenOf()}x`, undefined])
    expect(await isGood(token)).toBe(false);
});

test("it makes the first owner, names the site and logs the owner in", async () => {
  const owner = site.visitor();
  const body = { token: tokenOf(), ...OWNER, siteName: "Ada Star" };
  const { status, body: answer } = await owner.post("/api/setup", body);
  expect([status, answer]).toEqual([
    201,
    { username: OWNER.username, email: OWNER.email, role: "admin" },
  ]);
  expect((await owner.get("/api/auth/me")).body).toEqual(answer);
  expect((await owner.get("/api/site")).body.name).toBe("Ada Star");
  expect((await owner.get("/api/hero")).body).toMatchObject({
    mainTitle: "Ada Star",
    subtitle: "Ada Star",
  });
  expect((await site.loginAsOwner()).cookies()).not.toBe("");
});

test("until then the world sees no name that nobody has, on no page, and afterwards the site", async () => {
  const pageAt = async (path: string) => {
    const response = await fetch(site.url + path);
    return { status: response.status, html: await response.text() };
  };
  const { mainTitle } = (await site.visitor().get("/api/hero")).body;
  for (const path of ["/", "/coaching", "/Coaching/", "/privacy-policy", "/anything"]) {
    const { status, html } = await pageAt(path);
    expect([path, status]).toEqual([path, 200]);
    expect(html).toContain(">Coming soon</h1>");
    expect(html).toContain("<title>Coming soon</title>");
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).not.toContain(mainTitle);
    expect(html).not.toContain('<a href="/coaching');
  }
  expect((await pageAt("/admin/login")).html).not.toContain("Coming soon");
  await setup();
  expect((await pageAt("/")).html).toContain("Ada Star");
  expect((await pageAt("/coaching")).html).toContain("Ada Star");
  expect((await pageAt("/anything")).status).toBe(404);
  expect((await pageAt("/coming-soon")).status).toBe(404);
});

test("a hero that has been written already is left alone", async () => {
  await site.store.of(entities.hero).update((hero) => ({ ...hero, mainTitle: "Mine" }));
  // What was put in before there is an owner, as a sample is, can be seen.
  expect(await (await fetch(site.url)).text()).toContain("Mine");
  await setup();
  expect((await site.visitor().get("/api/hero")).body.mainTitle).toBe("Mine");
});

test("the link is dead after its use, also for two at the same moment", async () => {
  const answers = await Promise.all([setup(), setup({ username: "Eve", email: "e@example.com" })]);
  expect(answers.map(({ status }) => status).sort()[0]).toBe(201);
  expect([404, 409]).toContain(answers.map(({ status }) => status).sort()[1]!);
  expect(site.store.of(entities.users).read().value.length).toBe(1);
  expect((await setup()).status).toBe(404);
  expect(await openSetup(site.store, Date.now)).toBeUndefined();
});

test("the link ends after 30 minutes", async () => {
  const token = tokenOf();
  site.advance(29 * MINUTE);
  expect(await isGood(token)).toBe(true);
  site.advance(2 * MINUTE);
  expect(await isGood(token)).toBe(false);
  expect((await setup({ token })).status).toBe(404);
  expect(site.store.of(entities.users).read().value).toEqual([]);
});

test("with an https address it waits for HTTPS: 30 minutes from the first visit over it, or until a new one is asked for", async () => {
  const path = () => new URLSearchParams(site.setup!.newPath().split("#")[1]).get("token")!;
  let now = Date.now();
  const setup = (await openSetup(site.store, () => now, "https://www.example.com"))!;
  const next = () => new URLSearchParams(setup.newPath().split("#")[1]).get("token")!;
  const replaced = next();
  now += 1;
  const token = next();
  now += 6 * 60 * MINUTE;
  expect([setup.accepts(token), setup.accepts(replaced), setup.accepts(path())]).toEqual([
    true,
    false,
    false,
  ]);
  const page = (headers: Record<string, string>) =>
    setup.notePage(new Request("http://www.example.com/admin/setup", { headers }));
  page({ "x-forwarded-proto": "http" });
  now += 31 * MINUTE;
  expect(setup.accepts(token)).toBe(true);
  page({ "x-forwarded-proto": "https" });
  now += 29 * MINUTE;
  page({ "x-forwarded-proto": "https" });
  expect(setup.accepts(token)).toBe(true);
  now += 2 * MINUTE;
  expect(setup.accepts(token)).toBe(false);
});

test("wrong values are told by field, change nothing, and leave the link good", async () => {
  const before = site.stored();
  const { status, body } = await setup({ username: "", email: "x", password: "x", siteName: "" });
  expect([status, Object.keys(body.fields).sort()]).toEqual([
    422,
    ["email", "password", "siteName", "username"],
  ]);
  for (const password of ["Ada@example.com1", "adastar2026!!", "qwertyuiop12", "aaaaaaaaaaaaaa"])
    expect((await setup({ password })).status).toBe(422);
  expect((await setup({ token: "guess" })).status).toBe(404);
  expect(site.stored()).toBe(before);
  expect((await setup()).status).toBe(201);
});

test("an owner made on the command line ends the setup; names are taken once", async () => {
  const tools = { store: site.store, passwords: passwords(), clock: Date.now };
  await createOwner(tools, OWNER, { onlyFirst: true });
  expect((await setup({ username: "Eve", email: "eve@example.com" })).status).toBe(404);
  for (const taken of [
    { email: "other@example.com" },
    { username: "Eve", email: "ADA@EXAMPLE.COM" },
  ])
    await expect(createOwner(tools, { ...OWNER, ...taken })).rejects.toMatchObject({ status: 409 });
});

test("a reset password ends every session, and the new one logs in", async () => {
  const tools = { store: site.store, passwords: passwords(), clock: Date.now };
  await createOwner(tools, OWNER);
  const owner = await site.loginAsOwner();
  await resetPassword(tools, "ADA@example.com", "a fresh long start");
  expect((await owner.get("/api/auth/me")).status).toBe(401);
  const login = { username: "ada", password: "a fresh long start" };
  expect((await site.visitor().post("/api/auth/login", login)).status).toBe(200);
  const unknown = resetPassword(tools, "nobody", "a fresh long start");
  await expect(unknown).rejects.toMatchObject({ status: 404 });
});
