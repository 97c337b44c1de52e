/** Ready responses equal those of the full path for every ordinary request, and are never older than a save. */
import { afterAll, describe, expect, test } from "bun:test";
import { parseTarget } from "../../../src/server/http/requestTarget.ts";
import { encodeText, type Representation } from "../../../src/server/http/conditionalRequests.ts";
import {
  type ReadyResponses,
  createReadyResponses,
} from "../../../src/server/http/readyResponses.ts";
import { createSelfSignedCertificate } from "../../support/certificate.ts";
import { waitForValue, ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const TEXT = "The stage is dark. ".repeat(100);
const page: Representation = {
  headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": "its own" },
  etag: '"one"',
  ...encodeText(new TextEncoder().encode(TEXT), 4),
};
const FALLBACK = "the long way";

/** Serves only `ready` in front of the full path; returns how to call it. */
function startListening(ready: ReadyResponses, tls?: Bun.TLSOptions) {
  const server = Bun.serve({
    port: 0,
    ...(tls && { tls }),
    fetch: (each) => ready.findResponse(each, parseTarget(each.url)) ?? new Response(FALLBACK),
  });
  afterAll(() => server.stop(true));
  const request = (options: RequestTarget = {}) => {
    const { path = "/", host = "site.example", method = "GET", headers } = options;
    const all = { host, "accept-encoding": "br", ...headers };
    return fetch(`http${tls ? "s" : ""}://127.0.0.1:${server.port}${path}`, {
      method,
      tls: { rejectUnauthorized: false },
      headers: all,
      ...BODY[method],
    });
  };
  /** Waits until the response is ready. */
  const prepared = async (options?: RequestTarget) => {
    await waitForValue(async () => (await (await request(options)).text()) === FALLBACK, false);
    return request(options);
  };
  return { request, prepared };
}

interface RequestTarget {
  readonly path?: string;
  readonly host?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

const BODY: Readonly<Record<string, RequestInit>> = { POST: { body: "{}" } };

describe("a response that is ready in memory", () => {
  const ready = createReadyResponses({ siteUrl: "https://site.example", httpsSubdomains: false });
  ready.set("/", page);
  const { request, prepared } = startListening(ready);

  test("is sent in the encoding that the client prefers, with the headers of every response", async () => {
    for (const [accepted, encoding] of [
      ["br, gzip", "br"],
      ["gzip;q=1, br;q=0.5", "gzip"],
      ["br;q=0, gzip;q=0", null],
    ] as const) {
      const response = await prepared({ headers: { "accept-encoding": accepted } });
      expect([accepted, response.headers.get("content-encoding")]).toEqual([accepted, encoding]);
      expect(response.headers.get("content-security-policy")).toBe("its own");
      expect(response.headers.get("strict-transport-security")).toContain("max-age");
      expect(response.headers.get("vary")).toBe("accept-encoding");
      expect(await response.text()).toBe(TEXT);
    }
  });

  test("is sent as 304 to a client that has its ETag", async () => {
    const response = await prepared({ headers: { "if-none-match": '"one"' } });
    expect([response.status, response.headers.get("etag")]).toEqual([304, '"one"']);
  });

  test("is sent over the site's own HTTPS", async () => {
    const { key, chain: cert } = await createSelfSignedCertificate(1);
    const secure = startListening(ready, { key, cert });
    expect(await (await secure.prepared()).text()).toBe(TEXT);
    expect(await (await secure.request({ path: "/?a" })).text()).toBe(FALLBACK);
  });

  test.each<[string, RequestTarget]>([
    ["another host", { host: "other.example" }],
    ["another port", { host: "site.example:81" }],
    ["a query", { path: "/?a" }],
    ["another path", { path: "/%2F" }],
    ["HEAD", { method: "HEAD" }],
    ["POST", { method: "POST" }],
    ["an ETag that is not exactly this", { headers: { "if-none-match": 'W/"one"' } }],
    ["several ETags", { headers: { "if-none-match": '"two", "one"' } }],
    ["a compressed body", { headers: { "content-encoding": "gzip" } }],
  ])("isn't used for %s, which the application handles instead", async (_, options) => {
    await prepared();
    for (let round = 0; round < 3; round++) {
      const response = await request(options);
      expect([response.status, response.headers.get("etag")]).toEqual([200, null]);
    }
  });

  test("is sent only for well-formed Host headers if SITE_URL isn't set", async () => {
    const open = createReadyResponses({ siteUrl: undefined, httpsSubdomains: false });
    open.set("/", page);
    const any = startListening(open);
    expect((await any.prepared({ host: "127.0.0.1:3000" })).headers.get("etag")).toBe('"one"');
    expect((await any.prepared({ host: "a-b.example" })).headers.get("etag")).toBe('"one"');
    expect(await (await any.request({ host: "a.example,b.example" })).text()).toBe(FALLBACK);
  });

  test("isn't used when a range is requested", async () => {
    ready.set("/parts", { ...page, hasRanges: true });
    await prepared({ path: "/parts" });
    const part = await request({ path: "/parts", headers: { range: "bytes=0-9" } });
    expect(await part.text()).toBe(FALLBACK);
  });

  test("isn't used while its content can't be read", async () => {
    let isReadable = false;
    const identity = async () => {
      if (!isReadable) throw new Error("not there");
      return new TextEncoder().encode(TEXT);
    };
    ready.set("/unread", { headers: {}, etag: '"unread"', bytes: { identity } });
    for (let round = 0; round < 3; round++)
      expect(await (await request({ path: "/unread" })).text()).toBe(FALLBACK);
    isReadable = true;
    expect(await (await prepared({ path: "/unread" })).text()).toBe(TEXT);
  });

  test("isn't used once it is deleted", async () => {
    ready.set("/old", page);
    await prepared({ path: "/old" });
    ready.delete("/old");
    expect(await (await request({ path: "/old" })).text()).toBe(FALLBACK);
  });
});

describe("over HTTP", () => {
  const site = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));
  const owner = ownerOf(site);
  const findBuiltFile = async () =>
    /\/assets\/[^"]+\.css/.exec((await site.visitor().get("/")).text)![0];

  test.each(["/", "/coaching", "/admin/login", "a built file"])(
    "%s has the same headers and bytes in each of four responses, in every encoding",
    async (name) => {
      await owner.post("/api/hero", { title: `Once more ${name}` });
      const path = name.startsWith("/") ? name : await findBuiltFile();
      for (const encoding of ["br", "gzip", "identity"]) {
        const answers: unknown[] = [];
        for (let round = 0; round < 4; round++) {
          const answer = await site.visitor().get(path, { "accept-encoding": encoding });
          answer.headers.delete("date");
          answers.push([answer.status, [...answer.headers], answer.text]);
        }
        for (const answer of answers) expect(answer).toEqual(answers[0]);
      }
    },
  );

  test("each response is logged, cached or not", async () => {
    site.log.length = 0;
    for (let round = 0; round < 5; round++) await site.visitor().get("/coaching");
    expect(site.log.filter((line) => line.includes("GET /coaching 200")).length).toBe(5);
  });

  test("a change is on the page as soon as its save is acknowledged, even during constant requests", async () => {
    const saved = await owner.post("/api/styles", { heroBackgroundColor: "#100000" });
    expect(saved.status).toBe(200);
    const state = { isSaving: true, latest: 100_000 };
    // A request with a query takes the full path.
    const visitors = Array.from({ length: 8 }, async (_, at) => {
      while (state.isSaving) {
        const atLeast = state.latest;
        const text = await (await fetch(site.url + ["/", "/?x=1"][at % 2])).text();
        const shown = Number(/#(\d{6})/.exec(text.slice(text.indexOf("--hero")))?.[1] ?? 0);
        expect(shown).toBeGreaterThanOrEqual(atLeast);
      }
    });
    for (let save = 100_001; save <= 100_040; save++) {
      await owner.post("/api/styles", { heroBackgroundColor: `#${save}` });
      state.latest = save;
    }
    state.isSaving = false;
    await Promise.all(visitors);
  });
});
