/** Requests that no browser sends, to the built executable: none gets a 5xx, reveals or changes anything. */
import { beforeAll, describe, expect, test } from "bun:test";
import { encode } from "fast-png";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { startProgram } from "../support/program.ts";
import { type RawRequestOptions, type RawResponse, sendRawRequest } from "../support/rawRequest.ts";
import { setUpSiteForAll } from "../support/setUpSite.ts";
import { uploadPicture } from "../support/uploadPicture.ts";
import { measureRunningTime } from "../support/waits.ts";

const site = setUpSiteForAll(startProgram);
let hero: string;
let slowSenderResults: Promise<[string, EndedConnection][]>;
let reader: ReturnType<typeof startNonReadingClient>;
let patientUpload: Promise<Response>;

beforeAll(async () => {
  hero = await (await fetch(`${site.url}/api/hero`)).text();
  slowSenderResults = startSlowSenders();
  reader = startNonReadingClient();
  patientUpload = uploadSlowly();
});

const createHostHeader = () => `Host: ${new URL(site.url).host}\r\n`;
const sendRequest = (start: string, headers = "", body = "") =>
  sendRawRequest(site.url, `${start} HTTP/1.1\r\n${createHostHeader()}${headers}\r\n${body}`);

const JSON_TYPE = "Content-Type: application/json\r\n";

test.each([
  ["a Host that is none", 'GET / HTTP/1.1\r\nHost: a b"<>\r\n\r\n'],
  ["an escaped NUL as Host", "POST /api/auth/login HTTP/1.1\r\nHost: %00\r\n\r\n"],
  ["a version from the future", "GET / HTTP/9.9\r\n\r\n"],
  ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
])("a request with %s is refused", async (_, text) => {
  const { status } = await sendRawRequest(site.url, text);
  expect(status).toBeOneOf([400, 505]);
});

test.each([
  ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n", '{"a":1}'],
  ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nGET"],
  ["a length below zero", "Content-Length: -5\r\n", ""],
  ["a header of 200 KB", `X-A: ${"a".repeat(200_000)}\r\n`, ""],
  ["300 headers", "X-A: 1\r\n".repeat(300), ""],
])("a request with %s is refused with a 4xx", async (_, headers, body) => {
  const answer = await sendRequest("POST /api/auth/login", JSON_TYPE + headers, body);
  expect(answer.status).toBeOneOf([400, 431]);
});

test("garbage after a request isn't treated as a second request", async () => {
  const text = `GET /api/health HTTP/1.1\r\n${createHostHeader()}\r\nGARBAGE / HTTP/1.1\r\n${createHostHeader()}\r\n`;
  const answer = await sendRawRequest(site.url, text, { isFinished: () => false, timeoutMs: 500 });
  expect(answer.text.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(1);
});

test.each(["TRACE /", "OPTIONS /api/hero", "CONNECT evil.example:443", "PATCH /api/hero"])(
  "the request %s is refused, and the response allows no other origin and repeats no header",
  async (start) => {
    const secret = "X-Secret: told to nobody";
    const { status, text } = await sendRequest(
      start,
      `Origin: https://evil.example\r\n${secret}\r\n`,
    );
    expect(status).toBeOneOf([400, 403, 404]);
    expect(text).not.toContain("told to nobody");
    expect(text.toLowerCase()).not.toContain("access-control");
  },
);

test("a forged host in the request line or in a second Host header never appears in the response", async () => {
  const closing = "Connection: close\r\n\r\n";
  const absolute = `GET http://evil.example/ HTTP/1.1\r\n${createHostHeader()}${closing}`;
  const twice = `GET / HTTP/1.1\r\n${createHostHeader()}Host: evil.example\r\n${closing}`;
  for (const text of [absolute, twice]) {
    const answer = await sendRawRequest(site.url, text, { isFinished: () => false });
    expect([answer.isClosed, answer.text]).toEqual([
      true,
      expect.not.stringContaining("evil.example"),
    ]);
  }
});

describe("a path that tries to leave a served folder", () => {
  const names = [
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/data/secret",
    "..%5c..%5csecret",
    "%00",
    "../data/secret",
    "%E0%A4%A",
    "a".repeat(5000),
    "....//secret",
    "\u202egpj.exe",
  ];
  const folders = ["/uploads/", "/assets/", "/fonts/files/", "/"];
  test.each(folders)("is not found below %s", async (folder) => {
    for (const name of names) {
      const { status, text } = await sendRequest(
        `GET ${folder}${encodeURI(name).replaceAll("%25", "%")}`,
      );
      expect([status, text.includes("root:")]).toEqual([404, false]);
    }
  });
});

test.each([
  "%00%0a",
  "%E0%A4%A",
  "__proto__",
  "constructor",
  "%F0%9F%92%A9",
  "..%2fhero",
  "x".repeat(3000),
])("an id such as %s is not found", async (id) => {
  const headers = `Cookie: ${(await site.owner()).cookies()}\r\n`;
  for (const start of [
    `DELETE /api/statistics/${id}`,
    `DELETE /api/uploads/${id}`,
    `POST /api/uploads/${id}/restore`,
    `DELETE /api/form-submissions/${id}`,
    `POST /api/email-subscriptions/${id}/restore`,
    `GET /api/form-steps/${id}`,
    `GET /api/form-fields/${id}`,
    `GET /api/form-submissions/${id}`,
    `GET /api/history/${id}`,
    `GET /api/history/hero/${id}`,
    `POST /api/history/hero/${id}/restore`,
  ]) {
    const { status, text } = await sendRequest(start, headers);
    expect([start, status]).toEqual([start, 404]);
    expect(text).toContain('"code":"not_found"');
  }
});

/** How a connection ended, and after how many milliseconds, without those in which the machine stalled. */
interface EndedConnection extends Pick<RawResponse, "isClosed"> {
  readonly after: number;
}

/** Longer than any connection may stay open, even if the machine stalls. */
const WATCH_DURATION_MS = 50_000;

/** Starts clients that each send a little now and then, without an end. */
function startSlowSenders(): Promise<[string, EndedConnection][]> {
  const never = { isFinished: () => false, timeoutMs: WATCH_DURATION_MS };
  const drip = (text: string, intervalMs = 2000) => ({ ...never, drip: { text, intervalMs } });
  const post = (path: string) => `POST ${path} HTTP/1.1\r\n${createHostHeader()}${JSON_TYPE}`;
  const senders: Record<string, [string, RawRequestOptions]> = {
    "an address": ["GET /", drip("a")],
    headers: [`GET / HTTP/1.1\r\n${createHostHeader()}X-A: `, drip("a", 1000)],
    "a body": [`${post("/api/auth/login")}Content-Length: 1000\r\n\r\n{`, drip(" ")],
    chunks: [`${post("/api/auth/login")}Transfer-Encoding: chunked\r\n\r\n`, drip("1\r\n \r\n")],
    "a body that nobody reads": [`${post("/api/hero")}Content-Length: 1000\r\n\r\n{`, drip(" ")],
    nothing: ["", never],
  };
  return Promise.all(
    Object.entries(senders).map(
      async ([name, [text, options]]): Promise<[string, EndedConnection]> => {
        const time = measureRunningTime();
        const { isClosed: closed } = await sendRawRequest(site.url, text, options);
        time.stop();
        return [name, { isClosed: closed, after: time.readElapsedMs() }];
      },
    ),
  );
}

test("a client that sends endlessly and slowly is cut off within 17 seconds", async () => {
  for (const [name, { isClosed: closed, after }] of await slowSenderResults)
    expect([name, closed, after < 17_000]).toEqual([name, true, true]);
});

/** Uploads a picture of 1.3 MB within 20 seconds, as over a phone's line of half a megabit. */
async function uploadSlowly(): Promise<Response> {
  const noise = { width: 660, height: 660, channels: 3, data: randomBytes(660 * 660 * 3) } as const;
  const picture = encode(noise);
  const start = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const form = Buffer.concat([Buffer.from(start), picture, Buffer.from("\r\n--b--\r\n")]);
  async function* parts() {
    for (let at = 0; at < form.length; at += 40_000) {
      yield form.subarray(at, at + 40_000);
      await Bun.sleep(600); // oxlint-disable-line no-await-in-loop
    }
  }
  const headers = {
    "content-type": "multipart/form-data; boundary=b",
    cookie: (await site.owner()).cookies(),
  };
  return fetch(`${site.url}/api/upload`, { method: "POST", headers, body: parts() as never });
}

test("an owner's upload over a slow line is accepted", async () => {
  expect((await patientUpload).status).toBe(201);
}, 60_000);

/** A picture of noise, which in no format fits into the buffers of two sockets (4 MB). */
const NOISE_PICTURE = {
  width: 1270,
  height: 1270,
  channels: 3,
  data: randomBytes(1270 * 1270 * 3),
} as const;

/**
 * Requests the picture and reads nothing. Returns the milliseconds until the connection was cut, with and without those
 * in which the machine stalled.
 */
async function startNonReadingClient(): Promise<{
  readonly after: number;
  readonly running: number;
}> {
  const picture = await uploadPicture(site, "noise.png", new Uint8Array(encode(NOISE_PICTURE)));
  const { hostname, port } = new URL(site.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(`GET ${picture.url} HTTP/1.1\r\n${createHostHeader()}\r\n`);
  const [localPort, remotePort] = [socket.localPort!, Number(port)].map((each) =>
    each.toString(16).toUpperCase().padStart(4, "0"),
  );
  // Whether the server's end of the connection is open; 01 is an established connection (proc(5)).
  const isOpen = async () =>
    new RegExp(`:${remotePort} \\w+:${localPort} 01 `).test(await Bun.file("/proc/net/tcp").text());
  const started = performance.now();
  const time = measureRunningTime();
  while ((await isOpen()) && time.readElapsedMs() < WATCH_DURATION_MS) await Bun.sleep(100);
  const after = performance.now() - started;
  socket.destroy();
  time.stop();
  return { after, running: time.readElapsedMs() };
}

test("a client that never reads its response is cut off within 17 seconds", async () => {
  const { after, running } = await reader;
  expect(after).toBeGreaterThan(5_000);
  expect(running).toBeLessThan(17_000);
});

test("after all attacks of this file the content is unchanged, and the log reports no error", async () => {
  expect(await (await fetch(`${site.url}/api/hero`)).text()).toBe(hero);
  expect(site.log()).not.toMatch(/Error|at .*limelight:\d+/);
});
