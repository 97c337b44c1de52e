/**
 * The context of handlers in the built executable. Elysia parses the source of functions, and minified code looks
 * different: each kind of value that a handler reads is requested here once.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { entities } from "../../src/schema/index.ts";
import type { Client } from "../support/client.ts";
import { makeForm } from "../support/enquiryForm.ts";
import { findFreePort } from "../support/ports.ts";
import { startProgram } from "../support/program.ts";
import { createCallers, OWNER } from "../support/site.ts";
import { setUpSiteForAll } from "../support/setUpSite.ts";
import { waitForValue } from "../support/waits.ts";

const site = setUpSiteForAll(() => startProgram({ env: { TRUSTED_PROXIES: "127.0.0.1" } }));
let owner: Client;
let form: { formId: string; data: Record<string, string> };

beforeAll(async () => {
  owner = site.visitor();
  await owner.post("/api/auth/login", OWNER, { "user-agent": "Browser/1" });
  const { formId, ids } = await makeForm(site, "F", [["text", "Name"]]);
  form = { formId, data: { [ids[0]!]: "Nora" } };
});

const createHeaders = (address: string) => ({ "x-forwarded-for": address });

test("a login sets a session cookie, which is accepted until a logout clears it", async () => {
  const copy = owner.copy();
  expect((await copy.get("/api/auth/me")).body.username).toBe(OWNER.username);
  expect((await copy.get("/api/auth/sessions")).body).toContainEqual(
    expect.objectContaining({ current: true, userAgent: "Browser/1" }),
  );
  const other = site.visitor();
  const { headers } = await other.post("/api/auth/login", OWNER);
  expect(headers.getSetCookie()[0]).toMatch(
    /^limelight=[\w.-]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
  );
  const out = await other.post("/api/auth/logout");
  expect([out.status, out.headers.getSetCookie()[0]]).toEqual([
    204,
    expect.stringContaining("Max-Age=0"),
  ]);
  expect((await other.get("/api/auth/me")).status).toBe(401);
});

test("an enquiry is stored with the IP address that a trusted proxy reports for the visitor", async () => {
  const visitor = site.visitor();
  const sent = await visitor.post("/api/form-submissions", form, {
    ...createHeaders("6.6.6.6, 203.0.113.7"),
    "user-agent": "Phone/2",
  });
  expect(sent.status).toBe(201);
  const search = `/api/form-submissions/${form.formId}/search`;
  const list = await owner.post(search, { limit: 1, search: "nora" });
  expect(list.body[0]).toMatchObject({ ipAddress: "203.0.113.7", userAgent: "Phone/2" });
  expect(list.headers.get("x-total-count")).toBe("1");
  expect((await owner.get("/api/form-submission-counts")).body[form.formId].total).toBe(1);
});

test("a rate limit counts each visitor's IP address, and forged addresses in X-Forwarded-For don't evade it", async () => {
  const visitor = site.visitor();
  const join = (at: number, forwarded: string) =>
    visitor.post(
      "/api/email-subscriptions",
      { email: `v${at}@example.com` },
      createHeaders(forwarded),
    );
  const forged = (at: number) => join(at, `10.9.8.${at}, 198.51.100.1`);
  // The next test searches for this subscriber. The others join at once, since one more may join every half minute.
  const first = await forged(3);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => forged(4 + at)));
  expect(first.status).toBe(201);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ status }) => status)).toEqual([429]);
  expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await join(99, "198.51.100.2")).status).toBe(201);
});

test("invalid query parameters are refused, and searches for people send the name in the body, not in the URL", async () => {
  const list = (query: string) => owner.get(`/api/email-subscriptions${query}`);
  const response = await owner.post("/api/email-subscriptions/search", { search: "V3@EXAMPLE" });
  expect(response.body).toHaveLength(1);
  expect((await list("?limit=2&offset=1&status=active")).body).toHaveLength(2);
  for (const query of ["?limit=0", "?offset=-1", "?status=gone", "?limit=%E0", "?offset=1e9"])
    expect([query, (await list(query)).status]).toEqual([query, 422]);
  const person = await owner.post("/api/people/find", { email: "v3@example.com" });
  expect(person.body).toMatchObject({ email: "v3@example.com", subscriptions: 1 });
  expect((await owner.post("/api/setup/token", { token: "x" })).status).toBe(404);
  const css = await owner.get("/fonts/css2?family=Inter:wght@400;700&display=swap");
  expect([css.status, css.text.includes("@font-face")]).toEqual([200, true]);
  expect((await owner.get("/fonts/css2?family=../../x")).status).toBe(400);
});

test("an aborted download of the whole site affects no other request", async () => {
  for (let at = 0; at < 5; at++) {
    const breaking = new AbortController();
    const url = `${site.url}/api/export`;
    const headers = { cookie: owner.cookies() };
    const answer = await fetch(url, { headers, signal: breaking.signal });
    expect(answer.headers.get("content-type")).toBe("application/gzip");
    breaking.abort();
  }
  const whole = await owner.get("/api/export");
  expect([whole.status, whole.text.length > 0]).toEqual([200, true]);
  expect((await owner.get("/api/health")).status).toBe(200);
});

test("a save with an outdated If-Match is refused with 412 and the stored content", async () => {
  const first = await owner.get("/api/hero");
  const stale = { "if-match": first.headers.get("etag")! };
  const saved = await owner.post("/api/hero", { mainTitle: "Mine" }, stale);
  expect([saved.status, saved.body.mainTitle]).toEqual([200, "Mine"]);
  const late = await owner.post("/api/hero", { mainTitle: "Yours" }, stale);
  expect([late.status, late.body.current.mainTitle]).toEqual([412, "Mine"]);
  expect(late.headers.get("etag")).toBe(saved.headers.get("etag"));
  // The first revision is the stored one.
  const [, before] = (await owner.get("/api/history/hero")).body;
  const restored = await owner.post(`/api/history/hero/${before.revision}/restore`);
  expect(restored.body.mainTitle).toBe(first.body.mainTitle);
});

describe("untrusted input", () => {
  test("the last value of a JSON key sent twice counts, and unknown keys are ignored", async () => {
    const json = { "content-type": "application/json" };
    const twice = await owner.post("/api/hero", '{"mainTitle":"One","mainTitle":"Two"}', json);
    expect(twice.body.mainTitle).toBe("Two");
    const unknown = await owner.post("/api/hero", { id: "1", role: "admin", mainTitle: "Two" });
    expect(Object.keys(unknown.body).sort()).toEqual(Object.keys(entities.hero.fields).sort());
  });

  test("an HTTPS site without trusted proxies ignores X-Forwarded-For and sets a Secure cookie bound to its host", async () => {
    const direct = await startProgram({ env: { SITE_URL: "https://vera.example" } });
    const visitor = direct.visitor();
    const host = { host: "vera.example" };
    const guesses: number[] = [];
    /** Each guess claims another address, which must not be believed. */
    const guess = async () => {
      const at = guesses.length;
      const wrong = { username: OWNER.username, password: `wrong words ${at}` };
      const sent = { ...host, ...createHeaders(`10.0.0.${at}`) };
      const answer = await visitor.post("/api/auth/login", wrong, sent);
      guesses.push(answer.status);
      return answer;
    };
    for (let at = 0; at < 5; at++) await guess();
    expect(guesses).toEqual([401, 401, 401, 401, 401]);
    // The next guess has to wait for two seconds. If the machine stalled for as long, another guess shows the wait.
    let login = await guess();
    while (login.status === 401 && guesses.length < 9) login = await guess();
    expect(login.status).toBe(429);
    expect(Number(login.headers.get("retry-after"))).toBeGreaterThan(0);
    await waitForValue(async () => {
      login = await visitor.post("/api/auth/login", OWNER, host);
      return login.status;
    }, 200);
    expect(login.headers.getSetCookie()[0]).toMatch(
      /^__Host-limelight=[\w.-]+; Path=\/; Max-Age=604800; Secure; HttpOnly; SameSite=Lax$/,
    );
    expect(login.headers.get("strict-transport-security")).toBe("max-age=63072000");
    for (const other of ["evil.example", "vera.example.evil", "", "vera.example:8443"])
      expect([other, (await visitor.get("/", { host: other })).status]).toEqual([other, 421]);
    expect((await visitor.get("/api/health", { host: "10.0.0.1" })).status).toBe(200);
    expect(direct.log()).not.toMatch(/wrong words|eyJ|10\.0\.0|127\.0\.0\.1 /);
    await direct.stop();
  });
});

test("the passkey library loads completely in the built program", async () => {
  const port = String(findFreePort());
  const url = `http://localhost:${port}`;
  const named = await startProgram({ env: { PORT: port, SITE_URL: url } });
  try {
    const owner = await createCallers(url).logInAsOwner();
    const { status, body } = await owner.post("/api/auth/passkeys/options");
    expect([status, body.rp?.id]).toEqual([200, "localhost"]);
  } finally {
    await named.stop();
  }
});
