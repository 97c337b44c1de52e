/** The first start: a one-time link creates the owner, and nothing else does (specification, section 1.4). */
import { entities } from "../../../src/schema/index.ts";
import { describe, expect, test } from "bun:test";
import { createUser, resetPassword } from "../../../src/server/accounts/users.ts";
import { createPasswords } from "../../../src/server/accounts/passwords.ts";
import { createSetupLink } from "../../../src/server/accounts/setup.ts";
import { OWNER, setUpSiteForEach, startSite } from "../../support/testSite.ts";

const site = setUpSiteForEach(() => startSite({ hasOwner: false }));
const addressedSite = setUpSiteForEach(() => startSite({ hasOwner: false, hasAddress: true }));

const readSetupToken = () =>
  new URLSearchParams(site.setup!.createPath().split("#")[1]).get("token")!;
const isValidToken = async (token?: string) => {
  const { status } = await site.visitor().post("/api/setup/token", { token });
  return status === 200;
};
const setUpSite = (more: object = {}) =>
  site
    .visitor()
    .post("/api/setup", { token: readSetupToken(), ...OWNER, siteName: "Ada Star", ...more });
const MINUTE_MS = 60_000;

test("the setup link's token has 256 bits, and no other token is accepted", async () => {
  expect(site.setup!.createPath()).toMatch(/^\/admin\/setup#token=[a-z\d]+\.[\w-]{43}$/);
  expect(await isValidToken(readSetupToken())).toBe(true);
  for (const token of ["", "x", readSetupToken().slice(1), `${readSetupToken()}x`, undefined])
    expect(await isValidToken(token)).toBe(false);
});

test("the setup link creates the first owner, names the site and logs the owner in", async () => {
  const owner = site.visitor();
  const body = { token: readSetupToken(), ...OWNER, siteName: "Ada Star" };
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
  expect((await site.logInAsOwner()).cookies()).not.toBe("");
});

test("the site's first page is in the language chosen during the setup", async () => {
  await setUpSite({ language: "de" });
  const owner = await site.logInAsOwner();
  expect((await owner.get("/api/site")).body.language).toBe("de");
  expect((await owner.get("/api/about")).body.title).toBe("ÜBER MICH");
  const html = await (await fetch(site.url)).text();
  expect(html).toContain('<html lang="de"');
  expect(html).toContain("Auf der Bühne, vor der Kamera");
});

const NOINDEX = '<meta name="robots" content="noindex"/>';

async function fetchPage(path: string, { url }: { url: string } = site) {
  const response = await fetch(url + path);
  return { status: response.status, html: await response.text() };
}

describe("a site without an owner", () => {
  test("shows its default pages, excluded from search engines, if it has no public URL", async () => {
    const { mainTitle } = (await site.visitor().get("/api/hero")).body;
    for (const [path, text] of [
      ["/", mainTitle],
      ["/coaching", "MENTORING"],
      ["/Coaching/", "MENTORING"],
    ]) {
      const { status, html } = await fetchPage(path);
      expect([path, status]).toEqual([path, 200]);
      expect(html).toContain(text);
      expect(html).toContain(NOINDEX);
    }
    await setUpSite();
    for (const path of ["/", "/coaching"]) {
      const { html } = await fetchPage(path);
      expect(html).toContain("Ada Star");
      expect(html).not.toContain(NOINDEX);
    }
  });

  test("shows Coming soon at / and /coaching if it has a public URL", async () => {
    const { mainTitle } = (await addressedSite.visitor().get("/api/hero")).body;
    for (const path of ["/", "/coaching", "/Coaching/"]) {
      const { status, html } = await fetchPage(path, addressedSite);
      expect([path, status]).toEqual([path, 200]);
      expect(html).toContain(">Coming soon</h1>");
      expect(html).toContain("<title>Coming soon</title>");
      expect(html).toContain(NOINDEX);
      expect(html).not.toContain(mainTitle);
      expect(html).not.toContain('<a href="/coaching');
    }
    await createUser(
      { store: addressedSite.store, passwords: createPasswords(), clock: Date.now },
      OWNER,
    );
    expect((await fetchPage("/", addressedSite)).html).toContain(mainTitle);
    expect((await fetchPage("/coaching", addressedSite)).html).toContain("MENTORING");
  });

  test("has a credit with the program's name, which the owner can later change or remove", async () => {
    expect((await fetchPage("/")).html).toContain("Website by Limelight");
    await setUpSite();
    expect((await fetchPage("/coaching")).html).toContain("Designed by Limelight");
    const owner = await site.logInAsOwner();
    for (const agencyName of ["Half Moon Studio", null]) {
      expect((await owner.post("/api/site", { agencyName })).status).toBe(200);
      const { html } = await fetchPage("/");
      expect(html).not.toContain("Website by Limelight");
      expect(html.includes("Website by Half Moon Studio")).toBe(agencyName !== null);
    }
  });

  test("serves the privacy policy and a 404 page, with or without a public URL", async () => {
    for (const each of [site, addressedSite]) {
      const policy = await fetchPage("/privacy-policy", each);
      expect(policy.status).toBe(200);
      expect(policy.html).toContain("Information We Collect");
      expect(policy.html).toContain(NOINDEX);
      for (const path of ["/anything", "/coming-soon", "/coaching/x"]) {
        const { status, html } = await fetchPage(path, each);
        expect([path, status]).toEqual([path, 404]);
        expect(html).toContain("404 Page Not Found");
      }
      expect((await fetchPage("/admin/login", each)).html).not.toContain("Coming soon");
    }
  });

  test("refuses subscriptions and enquiries with 409 and a message", async () => {
    const before = site.readStored();
    const refused = {
      error: "This site isn't open yet, so nothing was sent. Please come back later.",
      code: "conflict",
    };
    const visitor = site.visitor();
    const sent = { formId: "x", data: {}, submittedAt: new Date().toISOString() };
    for (const [path, body] of [
      ["/api/email-subscriptions", { email: "ben@example.com" }],
      ["/api/form-submissions", sent],
    ] as const) {
      const { status, body: answer } = await visitor.post(path, body);
      expect([path, status, answer]).toMatchObject([path, 409, refused]);
    }
    const posted = await fetch(`${site.url}/coaching`, {
      method: "POST",
      body: new URLSearchParams({ step: "1" }),
    });
    expect(posted.status).toBe(409);
    expect(site.readStored()).toBe(before);
    await setUpSite();
    const { status } = await visitor.post("/api/email-subscriptions", { email: "ben@example.com" });
    expect(status).toBe(201);
  });
});

test("the setup doesn't change a hero section that was already edited", async () => {
  await site.store.of(entities.hero).update((hero) => ({ ...hero, mainTitle: "Mine" }));
  // Content that exists before the owner, such as the sample, is shown.
  expect(await (await fetch(site.url)).text()).toContain("Mine");
  await setUpSite();
  expect((await site.visitor().get("/api/hero")).body.mainTitle).toBe("Mine");
});

test("the setup link works only once, even for two simultaneous uses", async () => {
  const answers = await Promise.all([
    setUpSite(),
    setUpSite({ username: "Eve", email: "e@example.com" }),
  ]);
  expect(answers.map(({ status }) => status).sort()[0]).toBe(201);
  expect([404, 409]).toContain(answers.map(({ status }) => status).sort()[1]!);
  expect(site.store.of(entities.users).read().value.length).toBe(1);
  expect((await setUpSite()).status).toBe(404);
  expect(await createSetupLink(site.store, Date.now)).toBeUndefined();
});

test("the setup link ends after 30 minutes", async () => {
  const token = readSetupToken();
  site.advance(29 * MINUTE_MS);
  expect(await isValidToken(token)).toBe(true);
  site.advance(2 * MINUTE_MS);
  expect(await isValidToken(token)).toBe(false);
  expect((await setUpSite({ token })).status).toBe(404);
  expect(site.store.of(entities.users).read().value).toEqual([]);
});

test("on an HTTPS site the setup link ends 30 minutes after the first HTTPS visit, or when a new link is created", async () => {
  const path = () => new URLSearchParams(site.setup!.createPath().split("#")[1]).get("token")!;
  let now = Date.now();
  const setup = (await createSetupLink(site.store, () => now, "https://www.example.com"))!;
  const next = () => new URLSearchParams(setup.createPath().split("#")[1]).get("token")!;
  const replaced = next();
  now += 1000;
  const token = next();
  now += 6 * 60 * MINUTE_MS;
  expect([
    setup.isValidToken(token),
    setup.isValidToken(replaced),
    setup.isValidToken(path()),
  ]).toEqual([true, false, false]);
  const page = (headers: Record<string, string>) =>
    setup.recordPageRequest(new Request("http://www.example.com/admin/setup", { headers }));
  page({ "x-forwarded-proto": "http" });
  now += 31 * MINUTE_MS;
  expect(setup.isValidToken(token)).toBe(true);
  page({ "x-forwarded-proto": "https" });
  now += 29 * MINUTE_MS;
  page({ "x-forwarded-proto": "https" });
  expect(setup.isValidToken(token)).toBe(true);
  now += 2 * MINUTE_MS;
  expect(setup.isValidToken(token)).toBe(false);
});

test.each(["HTTPS", "https, http", "https , https"])(
  "a visit over HTTPS starts the setup link's 30 minutes if proxies report the scheme %j",
  async (scheme) => {
    let now = Date.now();
    const setup = (await createSetupLink(site.store, () => now, "https://www.example.com"))!;
    const token = new URLSearchParams(setup.createPath().split("#")[1]).get("token")!;
    const headers = { "x-forwarded-proto": scheme };
    setup.recordPageRequest(new Request("http://www.example.com/admin/setup", { headers }));
    now += 31 * MINUTE_MS;
    expect(setup.isValidToken(token)).toBe(false);
  },
);

test("invalid setup values are reported by field, and the setup link stays valid", async () => {
  const before = site.readStored();
  const { status, body } = await setUpSite({
    username: "",
    email: "x",
    password: "x",
    siteName: "",
    language: "<b>",
  });
  expect([status, Object.keys(body.fields).sort()]).toEqual([
    422,
    ["email", "language", "password", "siteName", "username"],
  ]);
  for (const password of ["Ada@example.com1", "adastar2026!!", "qwertyuiop12", "aaaaaaaaaaaaaa"])
    expect((await setUpSite({ password })).status).toBe(422);
  expect((await setUpSite({ token: "guess" })).status).toBe(404);
  expect(site.readStored()).toBe(before);
  expect((await setUpSite()).status).toBe(201);
});

test("creating an owner on the command line ends the setup, and refuses a taken username or email address", async () => {
  const tools = { store: site.store, passwords: createPasswords(), clock: Date.now };
  await createUser(tools, OWNER, { mustBeFirst: true });
  expect((await setUpSite({ username: "Eve", email: "eve@example.com" })).status).toBe(404);
  for (const duplicate of [
    { email: "other@example.com" },
    { username: "Eve", email: "ADA@EXAMPLE.COM" },
  ])
    await expect(createUser(tools, { ...OWNER, ...duplicate })).rejects.toMatchObject({
      status: 409,
    });
});

test("resetting a password ends every session, and the new password can log in", async () => {
  const tools = { store: site.store, passwords: createPasswords(), clock: Date.now };
  await createUser(tools, OWNER);
  const owner = await site.logInAsOwner();
  await resetPassword(tools, "ADA@example.com", "a fresh long start");
  expect((await owner.get("/api/auth/me")).status).toBe(401);
  const login = { username: "ada", password: "a fresh long start" };
  expect((await site.visitor().post("/api/auth/login", login)).status).toBe(200);
  const unknown = resetPassword(tools, "nobody", "a fresh long start");
  await expect(unknown).rejects.toMatchObject({ status: 404 });
});
