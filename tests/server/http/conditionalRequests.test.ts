/** The encoding that a client gets, whatever it asks for (RFC 9110, 12.5.3). */
import { describe, expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { addEtagAndEncoding } from "../../../src/server/http/conditionalRequests.ts";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const createRequest = (encoding?: string) =>
  new Request("http://localhost/", encoding ? { headers: { "accept-encoding": encoding } } : {});
const words = "The stage is dark, and then it is not. ".repeat(100);
const createJsonResponse = (body = words) =>
  new Response(body, { headers: { "content-type": "application/json" } });
const getEncoding = ({ headers }: Response) => headers.get("content-encoding");

describe("a response that isn't cached", () => {
  test("is compressed with an encoding that the client accepts, and has Vary: Accept-Encoding", async () => {
    const br = await addEtagAndEncoding(createRequest("gzip, deflate, br"), createJsonResponse());
    expect([getEncoding(br), br.headers.get("vary")]).toEqual(["br", "accept-encoding"]);
    expect(brotliDecompressSync(await br.bytes()).toString()).toBe(words);
    const gzip = await addEtagAndEncoding(createRequest("gzip"), createJsonResponse());
    expect(new TextDecoder().decode(Bun.gunzipSync(await gzip.bytes()))).toBe(words);
  });

  test("isn't compressed if it is short, if it is a picture, or if the client accepts no encoding", async () => {
    const short = await addEtagAndEncoding(createRequest("br"), createJsonResponse("{}"));
    expect([getEncoding(short), await short.text()]).toEqual([null, "{}"]);
    const plain = await addEtagAndEncoding(createRequest(), createJsonResponse());
    expect([getEncoding(plain), await plain.text()]).toEqual([null, words]);
    const picture = new Response(words, { headers: { "content-type": "image/webp" } });
    expect(getEncoding(await addEtagAndEncoding(createRequest("br"), picture))).toBeNull();
  });

  test("isn't compressed twice, and keeps every cookie that it sets", async () => {
    const headers = { "content-type": "text/html", "content-encoding": "gzip" };
    const ahead = new Response(words, { headers });
    expect(await addEtagAndEncoding(createRequest("br"), ahead)).toBe(ahead);
    const login = createJsonResponse();
    for (const cookie of ["a=1", "b=2"]) login.headers.append("set-cookie", cookie);
    expect((await addEtagAndEncoding(createRequest("br"), login)).headers.getSetCookie()).toEqual([
      "a=1",
      "b=2",
    ]);
  });
});

describe("a client", () => {
  test.each([
    ["br, gzip", "br"],
    ["br;q=0, gzip", "gzip"],
    ["gzip;q=0, br;q=0", null],
    ["br; q=0.000 ,gzip;q=0.001", "gzip"],
    ["gzip;q=0.5, identity", null],
    ["*", "br"],
    ["*;q=0, gzip", "gzip"],
    ["br;q=0, *", "gzip"],
    ["identity;q=0, gzip", "gzip"],
    ["BR", "br"],
    ["x-gzip", "gzip"],
    ["br;q=2, gzip;q=1.5, brotli", null],
    ["", null],
  ])("that sends Accept-Encoding %j gets the encoding %p", async (header, encoding) => {
    expect(getEncoding(await addEtagAndEncoding(createRequest(header), createJsonResponse()))).toBe(
      encoding,
    );
  });

  test("gets a short text compressed if it refuses uncompressed text", async () => {
    expect(
      getEncoding(
        await addEtagAndEncoding(createRequest("identity;q=0, *"), createJsonResponse("{}")),
      ),
    ).toBe("br");
  });
});

describe("an encoding that a client refuses is never used", () => {
  const site = setUpSiteForAll(startSite);
  const fetchEncoding = async (path: string, accepted: string) =>
    getEncoding(await fetch(site.url + path, { headers: { "accept-encoding": accepted } }));

  test.each([
    ["a call", async () => "/api/styles"],
    ["a page", async () => "/"],
    ["a page that is not there", async () => "/nothing"],
    ["a built file", async () => (await loadWebBuild()).shell.siteStyles],
    ["the fonts' rules", async () => "/fonts/css2?family=Inter&family=Lora&family=Oswald"],
    ["a small file", async () => "/favicon.svg"],
  ])("for %s", async (_name, address) => {
    const path = await address();
    expect(await fetchEncoding(path, "br;q=0, gzip;q=0, identity;q=0.1")).toBeNull();
    expect(await fetchEncoding(path, "gzip;q=0")).toBeNull();
    expect(await fetchEncoding(path, "identity;q=0, br;q=0, gzip")).toBe("gzip");
    expect(await fetchEncoding(path, "identity;q=0, gzip;q=0, br")).toBe("br");
  });
});
