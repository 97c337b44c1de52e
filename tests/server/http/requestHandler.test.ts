/** The checks of every request, whatever its path: headers, Host, Origin, refusals (specification, section 6.4). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { entities } from "../../../src/schema/index.ts";
import { MAX_PUBLIC_JSON_BYTES, readJson } from "../../../src/server/http/body.ts";
import { cannotStore, schemaViolation } from "../../../src/server/shared/errors.ts";
import { de } from "../../../src/web/words/de.ts";
import type { TestResponse, Client, Method } from "../../support/client.ts";
import { sendRawRequest } from "../../support/rawRequest.ts";
import { type Site, startSite } from "../../support/startSite.ts";

const createFaultyPlugin = () =>
  new Elysia()
    .get("/api/broken", () => {
      throw new Error("secret words in a stack");
    })
    .get("/api/full-disk", () => {
      throw cannotStore();
    })
    .get("/api/unfit-value", () => {
      throw schemaViolation("secret words of a schema");
    })
    .get("/own-policy", () => new Response("x", { headers: { "content-security-policy": "own" } }))
    .post("/api/echo", async ({ request }) => ({
      got: await readJson(request, MAX_PUBLIC_JSON_BYTES),
    }));

const createPlugins = () => [createFaultyPlugin()];
const HOST = { host: "ada.example" };
let plainSite: Site;
let httpsSite: Site;
let visitor: Client;

// Some routes of the plugins fail on purpose.
beforeAll(async () => {
  plainSite = await startSite({ plugins: createPlugins });
  httpsSite = await startSite({ plugins: createPlugins, env: { SITE_URL: "https://ada.example" } });
  visitor = plainSite.visitor();
});
afterAll(() => Promise.all([plainSite.stop(), httpsSite.stop()]));

const fetchStatus = async (site: Site, host: string, path = "/api/hero") =>
  (await site.visitor().get(path, { host })).status;
const postEcho = (site: Site, headers: Record<string, string>): Promise<TestResponse> =>
  site.visitor().post("/api/echo", { a: 1 }, { ...HOST, ...headers });

const JSON_TYPE = { "content-type": "application/json" };

describe("every response has the security headers", () => {
  const calls: [number, Method, string, unknown?, Record<string, string>?][] = [
    [200, "GET", "/api/hero"],
    [200, "HEAD", "/api/hero"],
    [304, "GET", "/api/hero", undefined, { "if-none-match": "*" }],
    [400, "POST", "/api/echo", "{", JSON_TYPE],
    [401, "POST", "/api/hero", {}],
    [403, "POST", "/api/echo", {}, { "sec-fetch-site": "cross-site" }],
    [404, "GET", "/nowhere"],
    [404, "GET", "/api/nowhere"],
    [404, "PATCH", "/api/hero"],
    [404, "OPTIONS", "/api/hero"],
    [404, "GET", "/api/form-steps/%E0%A4%A"],
    [413, "POST", "/api/echo", `"${"x".repeat(7 * 1024 * 1024)}"`, JSON_TYPE],
    [415, "POST", "/api/echo", "a=1", { "content-type": "text/plain" }],
    [421, "GET", "/api/hero", undefined, { host: "evil.example" }],
    [422, "POST", "/api/auth/login", {}],
    [500, "GET", "/api/broken"],
    [503, "GET", "/api/full-disk"],
  ];

  const namedCalls = calls.map((call) => [call.slice(0, 3).join(" "), call] as const);
  test.each(namedCalls)("%s", async (_, [status, method, path, body, headers]) => {
    const answer = await httpsSite.visitor().call(method, path, body, { ...HOST, ...headers });
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "strict-transport-security": "max-age=63072000",
    });
    if (path.startsWith("/api/"))
      expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  });

  test("except HSTS without HTTPS, and a route's own Content-Security-Policy stays", async () => {
    const { headers } = await visitor.get("/own-policy");
    expect(headers.get("content-security-policy")).toBe("own");
    expect(headers.has("strict-transport-security")).toBe(false);
  });
});

test("HSTS includes the subdomains when HTTPS_SUBDOMAINS is on", async () => {
  const env = { SITE_URL: "https://ada.example", HTTPS_SUBDOMAINS: "on" };
  const site = await startSite({ env });
  // The second time the page is a ready response.
  for (const path of ["/", "/", "/api/hero", "/nowhere"]) {
    const { headers } = await site.visitor().get(path, HOST);
    expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
  }
  await site.stop();
  const unencrypted = await startSite({ env: { HTTPS_SUBDOMAINS: "on" } });
  const { headers } = await unencrypted.visitor().get("/");
  expect(headers.has("strict-transport-security")).toBe(false);
  await unencrypted.stop();
});

describe("failures", () => {
  test("return 500 without a stack trace, or 503 if the disk is full", async () => {
    for (const [at, path] of ["/api/broken", "/api/unfit-value"].entries()) {
      const { status, body, text } = await visitor.get(path);
      expect([status, body.code, text.includes("secret")]).toEqual([500, "internal", false]);
      expect(plainSite.reportedErrors.length).toBe(at + 1);
    }
    const disk = await visitor.get("/api/full-disk");
    expect([disk.status, disk.body.code]).toEqual([503, "cannot_store"]);
  });

  test("return a JSON 404 for unknown /api paths and methods", async () => {
    for (const answer of [
      await visitor.get("/api"),
      await visitor.get("/api/nowhere/at/all"),
      await visitor.call("PATCH", "/api/hero", {}),
      await visitor.delete("/api/hero"),
      await visitor.get("/api/form-steps"),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
  });
});

describe("the Host header", () => {
  test("has to be SITE_URL's host, on every path except the health check", async () => {
    for (const host of ["ada.example", "ADA.example", "ada.example:443"])
      expect(await fetchStatus(httpsSite, host)).toBe(200);
    for (const host of ["evil.example", "ada.example.evil.example", "ada.example:80", "127.0.0.1"])
      expect(await fetchStatus(httpsSite, host)).toBe(421);
    expect(await fetchStatus(httpsSite, "evil.example", "/api/health")).toBe(200);
    expect(await fetchStatus(httpsSite, "evil.example", "/api/health/")).toBe(421);
    expect(await fetchStatus(httpsSite, "evil.example", "/nowhere")).toBe(421);
  });

  test.each([
    ["Ada.Example", 200],
    ["ada.example.:443", 200],
    [" ada.example ", 200],
    ["www.ada.example", 421],
    ["ada.example:8443", 421],
    ["ada.example:", 200],
    ["ada.example:443:443", 400],
    ["[::1]", 421],
    ["ada.example@evil.example", 400],
    ["evil.example#ada.example", 400],
    ["ada.example,evil.example", 400],
    ["xn--ada-0ra.example", 421],
    ["ada.example%00", 400],
    ["\xc3\xa4da.example", 400],
    ["", 400],
  ])("with the value %j gets the status %d", async (host, status) => {
    const request = `GET / HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\n\r\n`;
    const answer = await sendRawRequest(httpsSite.url, request);
    // An invalid host is refused either way.
    expect([status, ...(status === 400 ? [421] : [])]).toContain(answer.status);
    if (answer.status !== 400)
      expect(answer.text.toLowerCase()).toContain("content-type: text/html");
  });

  test("of another host gets a page with a link to the site, and one log line names SITE_URL", async () => {
    for (const accept of ["", "text/html,*/*", "*/*"])
      for (const host of ["127.0.0.1:4812", "evil.example"]) {
        const page = await httpsSite.visitor().get("/coaching", { host, accept });
        expect(page.status).toBe(421);
        expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect(page.text).toContain("Open this site at its public address.");
        expect(page.text).toContain('href="https://ada.example"');
        expect(page.text).not.toContain(host);
        expect(page.headers.get("x-content-type-options")).toBe("nosniff");
      }
    const call = await httpsSite.visitor().get("/api/hero", { host: "evil.example" });
    expect([call.status, call.body.code]).toEqual([421, "wrong_host"]);
    expect(httpsSite.log.filter((line) => line.includes("SITE_URL"))).toHaveLength(1);
  });

  test("of another host gets a page in the site's language", async () => {
    const speak = (language: string) =>
      httpsSite.store.of(entities.site).update((value) => ({ ...value, language }));
    await speak("de");
    const page = await httpsSite.visitor().get("/", { host: "evil.example" });
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain(de.refusals.wrongHost);
    expect(page.text).not.toContain("own address");
    await speak("en");
  });

  test("is refused if it is sent twice, in any order and even with equal values", async () => {
    for (const [first, second] of [
      ["ada.example", "evil.example"],
      ["evil.example", "ada.example"],
      ["ada.example", "ada.example"],
    ])
      for (const { url } of [plainSite, httpsSite])
        for (const path of ["/", "/api/hero", "/api/health"]) {
          const text = `GET ${path} HTTP/1.1\r\nHost: ${first}\r\nHost: ${second}\r\n\r\n`;
          expect((await sendRawRequest(url, text)).status).toBe(400);
        }
  });

  test("may be missing only in requests for the health check", async () => {
    for (const { url } of [plainSite, httpsSite])
      for (const path of ["/api/health?x=/api/hero", "/api/health?/", "/api/hero", "/"])
        expect((await sendRawRequest(url, `GET ${path} HTTP/1.0\r\n\r\n`)).status).toBeOneOf([
          400, 421,
        ]);
    expect((await sendRawRequest(httpsSite.url, "GET /api/health HTTP/1.0\r\n\r\n")).status).toBe(
      200,
    );
  });

  test("isn't replaced by X-Forwarded-Host, and is never repeated in a response", async () => {
    const forwarded = { host: "evil.example", "x-forwarded-host": "ada.example" };
    expect((await httpsSite.visitor().get("/api/hero", forwarded)).status).toBe(421);
    const { status, text, headers } = await visitor.get("/api/nowhere", { host: "evil.example" });
    expect(status).toBe(404);
    expect(text + JSON.stringify([...headers])).not.toContain("evil.example");
  });
});

describe("writes from another site", () => {
  test("are refused unless Sec-Fetch-Site is same-origin or none", async () => {
    for (const site of ["same-origin", "none"])
      expect((await postEcho(httpsSite, { "sec-fetch-site": site })).status).toBe(200);
    for (const site of ["cross-site", "same-site", "nonsense"]) {
      const { status, body } = await postEcho(httpsSite, { "sec-fetch-site": site });
      expect([status, body.code]).toEqual([403, "foreign_origin"]);
    }
  });

  test("are refused by their Origin if Sec-Fetch-Site is missing, and accepted if both are missing", async () => {
    for (const origin of ["https://ada.example", "https://ada.example."])
      expect((await postEcho(httpsSite, { origin })).status).toBe(200);
    expect((await postEcho(httpsSite, {})).status).toBe(200);
    const others =
      "https://evil.example http://ada.example https://ada.example:8443 https://ada.example.evil.example null";
    for (const origin of others.split(" "))
      expect((await postEcho(httpsSite, { origin })).status).toBe(403);
    const statusFrom = async (origin: string) =>
      (await visitor.post("/api/echo", {}, { origin })).status;
    expect(await statusFrom(plainSite.url)).toBe(200);
    expect(await statusFrom("http://evil.example")).toBe(403);
  });

  test("are refused for login, logout and the owner's calls, and nothing changes", async () => {
    const owner = await plainSite.logInAsOwner();
    const before = plainSite.readStored();
    const foreign = { "sec-fetch-site": "cross-site" };
    const calls: [Method, string][] = [
      ["POST", "/api/auth/login"],
      ["POST", "/api/auth/logout"],
      ["POST", "/api/hero"],
      ["PUT", "/api/statistics/x"],
      ["DELETE", "/api/statistics/x"],
    ];
    for (const [method, path] of calls)
      expect((await owner.call(method, path, {}, foreign)).status).toBe(403);
    expect(plainSite.readStored()).toBe(before);
    expect((await owner.get("/api/auth/me", foreign)).status).toBe(200);
  });
});

/** Finds a line by its id, since the site may have logged something else meanwhile. */
const findLogLine = (id: string) => plainSite.log.find((line) => line.includes(` ${id} `))!;

test("a log line has time, id, method, path, status and duration, and nothing else", async () => {
  const login = { username: "Ada", password: "hidden words" };
  const { headers, body } = await visitor.post("/api/auth/login?token=secret", login);
  const id = headers.get("x-request-id")!;
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
  expect(id).toMatch(/^[0-9a-z]{7}$/);
  expect(findLogLine(id)).toMatch(new RegExp(`^${time} ${id} POST /api/auth/login 401 [\\d.]+ms$`));
  expect(body.requestId).toBe(id);
  expect(plainSite.log.join()).not.toMatch(/secret|hidden|127\.0\.0\.1/);
});

test("every refusal has the id of its log line, and a successful response has no id", async () => {
  const seen = new Set<string>();
  const calls: [string, Record<string, string>?][] = [
    ["/api/nowhere"],
    ["/api/auth/me"],
    ["/nowhere"],
    ["/api/statistics/%ff"],
    ["/api/hero", { "content-encoding": "gzip" }],
  ];
  for (const [path, more] of calls) {
    const { status, headers, text } = await visitor.get(path, more);
    const id = headers.get("x-request-id")!;
    expect([path, status >= 400, findLogLine(id)]).toEqual([
      path,
      true,
      expect.stringContaining(` ${id} GET `),
    ]);
    if (headers.get("content-type")!.startsWith("application/json"))
      expect(JSON.parse(text).requestId).toBe(id);
    seen.add(id);
  }
  expect(seen.size).toBe(calls.length);
  expect((await visitor.get("/api/hero")).headers.has("x-request-id")).toBe(false);
});

test("an unexpected error is logged with the id of its response", async () => {
  const { status, body } = await visitor.get("/api/broken");
  expect([status, plainSite.failedRequestIds.at(-1)]).toEqual([500, body.requestId]);
});
