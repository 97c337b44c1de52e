import { expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { compressed } from "../../../src/server/http/conditional.ts";

const asked = (encoding?: string) =>
  new Request("http://localhost/", encoding ? { headers: { "accept-encoding": encoding } } : {});
const words = "The stage is dark, and then it is not. ".repeat(100);
const json = (body = words) =>
  new Response(body, { headers: { "content-type": "application/json" } });

test("a long answer is compressed as the client takes it, and says that it depends on that", async () => {
  const br = await compressed(asked("gzip, deflate, br"), json());
  expect([br.headers.get("content-encoding"), br.headers.get("vary")]).toEqual([
    "br",
    "accept-encoding",
  ]);
  expect(brotliDecompressSync(await br.bytes()).toString()).toBe(words);
  const gzip = await compressed(asked("gzip"), json());
  expect(new TextDecoder().decode(Bun.gunzipSync(await gzip.bytes()))).toBe(words);
});

test("a short answer, one for a client that takes none, and a picture stay as they are", async () => {
  const short = await compressed(asked("br"), json("{}"));
  expect([short.headers.get("content-encoding"), await short.text()]).toEqual([null, "{}"]);
  const plain = await compressed(asked(), json());
  expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, words]);
  const picture = new Response(words, { headers: { "content-type": "image/webp" } });
  expect((await compressed(asked("br"), picture)).headers.get("content-encoding")).toBeNull();
});

test("what was compressed ahead is not compressed again", async () => {
  const ahead = new Response(words, {
    headers: { "content-type": "text/html", "content-encoding": "gzip" },
  });
  expect(await compressed(asked("br"), ahead)).toBe(ahead);
});
