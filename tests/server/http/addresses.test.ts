/** Odd addresses over a raw socket: the first check and the router see the same path, or the request is refused. */
import { expect, test } from "bun:test";
import { sendRawRequest } from "../../support/rawRequest.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const anySite = setUpSiteForAll(startSite);
const addressedSite = setUpSiteForAll(() =>
  startSite({ env: { SITE_URL: "https://ada.example" } }),
);

const CHANGE_BODY = JSON.stringify({ mainTitle: "Mallory" });

/** A call that a foreign page makes the owner's browser send. */
async function createForeignWrite(start: string, host?: string): Promise<string> {
  const headers = [
    start,
    ...(host === undefined ? [] : [`Host: ${host}`]),
    "Origin: https://evil.example",
    `Cookie: ${(await anySite.owner()).cookies()}`,
    "Content-Type: application/json",
    `Content-Length: ${CHANGE_BODY.length}`,
  ];
  return `${headers.join("\r\n")}\r\n\r\n${CHANGE_BODY}`;
}

/** The request's first line, its Host (undefined: none), and the status without SITE_URL. */
const WRITES: [string, string | undefined, number][] = [
  ["POST /unsubscribe?/api/hero?/api/health HTTP/1.0", undefined, 400],
  ["POST /unsubscribe?/api/hero?/api/health HTTP/1.1", "a b", 400],
  ["POST /unsubscribe HTTP/1.1", "evil/api/hero?", 400],
  ["POST /unsubscribe HTTP/1.1", "e?/api/hero?/api/health", 400],
  ["POST /unsubscribe HTTP/1.1", "e\\api/hero?", 400],
  ["POST /api/hero HTTP/1.1", "e/unsubscribe?", 400],
  ["POST /api/hero HTTP/1.1", "name@nas", 400],
  ["POST /api/hero HTTP/1.1", "nas:99999", 400],
  ["POST /api/hero HTTP/1.1", "nas", 403],
  ["POST /unsubscribe?/api/hero HTTP/1.1", "nas", 404],
  ["POST /unsubscribe#/api/hero HTTP/1.1", "nas", 400],
  ["POST //unsubscribe?/api/hero HTTP/1.1", "nas", 403],
  ["POST //e/api/hero HTTP/1.0", undefined, 400],
  ["POST /unsubscribe/../api/hero HTTP/1.1", "nas", 403],
  ["POST /unsubscribe/%2e%2e/api/hero HTTP/1.1", "nas", 403],
  ["POST ?/api/hero HTTP/1.1", "nas", 400],
  ["POST http://e/unsubscribe?/api/hero?/api/health HTTP/1.0", undefined, 400],
  ["POST http://e/unsubscribe?/api/hero HTTP/1.1", "nas", 404],
  ["POST http://e/api/hero HTTP/1.1", "nas", 403],
];

test.each(WRITES)("the write %s with the Host %p gets %d and changes nothing", async (...shape) => {
  const [start, host, expected] = shape;
  const faults = anySite.reportedErrors.length;
  const [before, addressedBefore] = [anySite.readStored(), addressedSite.readStored()];
  const { status } = await sendRawRequest(anySite.url, await createForeignWrite(start, host));
  expect([status, anySite.readStored() === before, anySite.reportedErrors.length]).toEqual([
    expected,
    true,
    faults,
  ]);
  const elsewhere = await sendRawRequest(addressedSite.url, await createForeignWrite(start, host));
  expect(elsewhere.status).toBeOneOf([400, 421]);
  expect(addressedSite.readStored()).toBe(addressedBefore);
});

const READS: [string, string | undefined, number][] = [
  ["GET /api/health HTTP/1.0", undefined, 200],
  ["GET /api/health HTTP/1.1", "", 200],
  ["GET http://e/api/health HTTP/1.0", undefined, 200],
  ["HEAD /api/health HTTP/1.0", undefined, 200],
  ["POST /api/health HTTP/1.0", undefined, 404],
  ["GET /api/health? HTTP/1.0", undefined, 400],
  ["GET /api/health/ HTTP/1.0", undefined, 400],
  ["GET /?/api/health HTTP/1.0", undefined, 400],
  ["GET /coaching?/api/health HTTP/1.1", "", 400],
  ["GET /api/bin?kind=/api/health HTTP/1.0", undefined, 400],
  ["GET * HTTP/1.1", "nas", 400],
  ["GET api/health HTTP/1.0", undefined, 400],
  ["CONNECT evil.example:443 HTTP/1.1", "nas", 404],
  ["GET /api/hero?/ HTTP/1.1", "a", 200],
  ["GET /api/hero HTTP/1.1", "[::1]:80", 200],
];

test.each(READS)("the request %s with the Host %p gets %d", async (start, host, expected) => {
  const cookie = `Cookie: ${(await anySite.owner()).cookies()}\r\n`;
  const named = host === undefined ? "" : `Host: ${host}\r\n`;
  const { status } = await sendRawRequest(anySite.url, `${start}\r\n${named}${cookie}\r\n`);
  expect([status, anySite.reportedErrors]).toEqual([expected, []]);
});

test.each([
  ["/COACHING", 200],
  ["/coaching///", 200],
  ["//coaching", 200],
  ["/privacy%2Dpolicy", 200],
  ["/%63oachin%67/?utm_source=%2D", 200],
  ["/privacy%252Dpolicy", 404],
  ["/coaching%2F", 404],
])("a request for %s, as other programs spell a page's path, gets %d", async (path, expected) => {
  const { status } = await sendRawRequest(anySite.url, `GET ${path} HTTP/1.1\r\nHost: nas\r\n\r\n`);
  expect(status).toBe(expected);
});
