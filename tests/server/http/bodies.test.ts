/**
 * Hostile bodies (specification, section 7.1): type, size, depth, keys, time. None gets a 5xx or changes anything.
 */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readBytes, readForm, MAX_UPLOAD_BODY_BYTES } from "../../../src/server/http/body.ts";
import { sendRawRequest } from "../../support/rawRequest.ts";
import { ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);
const owner = ownerOf(site);
let before: string;

beforeAll(async () => {
  before = site.readStored();
});
afterEach(() => expect(site.readStored()).toBe(before));

const JSON_TYPE = { "content-type": "application/json" };
const sendText = (text: string, headers: Record<string, string> = JSON_TYPE) =>
  owner.post("/api/hero", text, headers);

const createSlowBody = () => new ReadableStream({ pull: () => Bun.sleep(10_000) });
const createRequest = (body: BodyInit, headers = {}) =>
  new Request("http://localhost/", { method: "POST", body, headers });

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
  "text/json",
])("a body of type %s gets 415 where JSON is required", async (type) => {
  const { status, body } = await sendText('{"subtitle":"x"}', { "content-type": type });
  expect([status, body.code]).toEqual([415, "wrong_type"]);
});

test("a compressed request body gets 415", async () => {
  const bomb = Bun.gzipSync(Buffer.alloc(1_000_000, 32));
  const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
  expect((await owner.post("/api/hero", bomb, headers)).status).toBe(415);
});

test("a JSON body gets 413 above 1 MB from the dashboard, and above 64 KB from anybody else", async () => {
  const { status, body } = await sendText(JSON.stringify({ subtitle: "x".repeat(1024 * 1024) }));
  expect([status, body.error]).toEqual([413, "This is too large. The limit is 1 MB."]);
  const login = { username: "Ada", password: "x".repeat(64 * 1024) };
  const refused = await site.visitor().post("/api/auth/login", login);
  expect([refused.status, refused.body.code]).toEqual([413, "too_large"]);
});

test("an endless request body without a Content-Length gets 413", async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
  });
  const init = { method: "POST", headers: JSON_TYPE, body };
  expect((await fetch(`${site.url}/api/auth/login`, init)).status).toBe(413);
});

test.each([
  ["/api/form-submissions", 413, "This is too large. The limit is 64 KB."],
  ["/api/hero", 401, "Please log in to do this."],
])(
  "a request to %s that announces a body of 100 GB is refused at once",
  async (path, expected, words) => {
    const { host } = new URL(site.url);
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n`;
    const { status, text } = await sendRawRequest(site.url, head, {
      isFinished: (got) => got.includes("}"),
    });
    expect([status, text]).toEqual([expected, expect.stringContaining(words)]);
    expect(text.toLowerCase()).toContain("x-content-type-options: nosniff");
    expect(text.toLowerCase()).toContain("connection: close");
  },
);

test("a call without a session gets 401 before the size of its body is checked", async () => {
  const big = "x".repeat(2 * 1024 * 1024);
  expect((await site.visitor().post("/api/hero", big, JSON_TYPE)).status).toBe(401);
});

test.each([
  ["nothing", ""],
  ["a broken object", '{"subtitle":'],
  ["bytes that are no UTF-8", "\uD800"],
  ["400 KB of [", "[".repeat(400_000)],
  ["33 levels", `${"[".repeat(33)}${"]".repeat(33)}`],
  [
    "2,001 keys",
    JSON.stringify(Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`k${at}`, 1]))),
  ],
  ["__proto__", '{"__proto__":{"isAdmin":true}}'],
  ["constructor", '{"a":[{"constructor":1}]}'],
  ["prototype", '{"prototype":1}'],
  ["an escaped __proto__", '{"\\u005f_proto__":1}'],
])("a JSON body of %s gets 400", async (name, text) => {
  const bytes = name.startsWith("bytes") ? new Uint8Array([0x22, 0xff, 0x22]) : undefined;
  const { status, body } = await owner.post("/api/hero", bytes ?? text, JSON_TYPE);
  expect([status, body.code]).toEqual([400, "malformed"]);
});

test("JSON that isn't an object gets 422, and brackets inside strings don't count as nesting", async () => {
  for (const text of ["null", "[]", '"x"', "1"]) expect((await sendText(text)).status).toBe(422);
  expect((await sendText(JSON.stringify({ mainTitle: "[".repeat(500) }))).status).toBe(422);
});

describe("reading a request body", () => {
  test("is aborted with 408 after a time limit", async () => {
    const reading = readBytes(createRequest(createSlowBody()), 100, 0.05);
    expect(reading).rejects.toMatchObject({ status: 408, body: { code: "timeout" } });
    await reading.catch(() => {});
  });

  test("accepts a multipart form, and refuses other types", async () => {
    const form = new FormData();
    form.set("file", new File(["abc"], "../../x.png"));
    const read = await readForm(createRequest(form), MAX_UPLOAD_BODY_BYTES);
    expect(await (read.get("file") as File).text()).toBe("abc");
    for (const [body, headers, status] of [
      ["a=1", { "content-type": "application/x-www-form-urlencoded" }, 415],
      ["nonsense", { "content-type": "multipart/form-data; boundary=x" }, 400],
      ["nonsense", { "content-type": "multipart/form-data" }, 400],
    ] as const) {
      const reading = readForm(createRequest(body, headers), MAX_UPLOAD_BODY_BYTES);
      expect(reading).rejects.toMatchObject({ status });
      await reading.catch(() => {});
    }
  });

  test("accepts a file that contains the form's boundary in a line", async () => {
    const file = `--b${"a".repeat(100_000)}`;
    const form = `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${file}\r\n--b--\r\n`;
    const type = { "content-type": "multipart/form-data; boundary=b" };
    const read = await readForm(createRequest(form, type), MAX_UPLOAD_BODY_BYTES);
    expect(await (read.get("file") as File).text()).toBe(file);
  });

  test("refuses a form of another type with a message that names the accepted types", async () => {
    const types = ["application/x-www-form-urlencoded"];
    const reading = readForm(createRequest(new FormData()), 100, { mediaTypes: types });
    expect(reading).rejects.toMatchObject({
      status: 415,
      message: "Send this as a form (application/x-www-form-urlencoded).",
    });
    await reading.catch(() => {});
  });
});
