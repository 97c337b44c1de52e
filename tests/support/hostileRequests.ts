/** Creates requests that no browser sends. The same seed creates the same requests. */
import { createSeededRandom } from "../server/storage/seededRandom.ts";

/** A request, whose text has a Latin-1 character for each byte. */
export interface HostileRequest {
  readonly text: string;
  /** True if its declared length is right, so that a response must follow. */
  readonly isComplete: boolean;
}

/** The parts of the requests. */
export interface HostileContext {
  readonly seed: number;
  /** The server's own `host:port`. */
  readonly host: string;
  /** The Cookie header that half of the requests send. */
  readonly cookie: string;
  /** Method and path of every route, as Elysia writes them: "GET", "/api/hero/:id". */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

/** Generates requests without end. */
export function* createHostileRequests(context: HostileContext): Generator<HostileRequest> {
  const random = createRandom(context.seed);
  while (true) {
    const text = createRequest(context, random);
    const isComplete = random.below(5) > 0;
    yield { text: isComplete ? text : damageRequest(text, random), isComplete };
  }
}

const HOSTILE_WORDS =
  "0 -1 1e999 NaN null undefined true [] {} __proto__ constructor toString // / * ? # ' ` $& {{7*7}} <script> " +
  '%ff % %00 %E0%A4%A %u0041 .. ../.. ..%2f..%2f %2e%2e%2f ..\\ "';

/** Texts that have broken programs before: encodings, paths, prototypes, numbers, markup. */
const HOSTILE_VALUES: readonly string[] = HOSTILE_WORDS.split(" ").concat(
  ["", " ", "\0", "\r\nX: y", "\u00ff\u00fe", "\u00ed\u00a0\u0080", "\u00e2\u0080\u00ae"],
  ["a".repeat(3000), "9".repeat(21), "00000000-0000-7000-8000-000000000000"],
  `${"0".repeat(32)}.png`,
);

const METHODS = "GET HEAD POST PUT DELETE PATCH OPTIONS TRACE get M-SEARCH".split(" ");

const PAGES = ["/", "/coaching", "/privacy", "/admin", "/nothing", "/sitemap.xml", "/robots.txt"];

const CONTENT_TYPES = [
  "application/json",
  "multipart/form-data; boundary=b",
  "multipart/form-data",
  "application/x-www-form-urlencoded",
  "text/plain",
  "",
  "application/json; charset=utf-7",
];

/** Paths that aren't requested, since they would end the session that other requests need. */
const EXCLUDED_PATHS = new Set(["/api/auth/logout"]);

interface Random {
  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
}

function createRandom(seed: number): Random {
  const below = createSeededRandom(seed);
  return { below, pick: (choices) => choices[below(choices.length)]! };
}

function createRequest({ host, cookie, routes }: HostileContext, random: Random): string {
  const route = random.pick(routes.filter(({ path }) => !EXCLUDED_PATHS.has(path)));
  const isPage = random.below(4) === 0;
  const path = isPage ? random.pick(PAGES) : route.path;
  const usualMethod = route.method === "ALL" || isPage ? "GET" : route.method;
  const method = random.below(4) === 0 ? random.pick(METHODS) : usualMethod;
  const target = fillPath(path, random) + createQuery(random);
  const headers = random.below(2) === 0 ? [`Cookie: ${cookie}`] : [];
  if (random.below(20) > 0) headers.unshift(`Host: ${random.below(20) > 0 ? host : "nas"}`);
  if (random.below(3) === 0) headers.push(createOddHeader(random));
  if (usualMethod !== "GET" || random.below(8) === 0) {
    const type = random.pick(CONTENT_TYPES);
    const body = createBody(type, random);
    if (type !== "") headers.push(`Content-Type: ${type}`);
    headers.push(`Content-Length: ${body.length}`);
    return `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
  }
  return `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
}

/** Returns a route's path with other parameters, and sometimes with a further segment. */
function fillPath(path: string, random: Random): string {
  const filledPath = path.replaceAll(/:\w+\??|\*/g, () =>
    escapeTarget(random.pick(HOSTILE_VALUES)),
  );
  return random.below(6) === 0
    ? `${filledPath}/${escapeTarget(random.pick(HOSTILE_VALUES))}`
    : filledPath;
}

const escapeTarget = (text: string) => text.replaceAll(/[\r\n\0 ]/g, (char) => percentEncode(char));

const percentEncode = (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`;

const QUERY_NAMES = ["", ..."offset limit search status email token family __proto__".split(" ")];

function createQuery(random: Random): string {
  if (random.below(3) > 0) return "";
  const pairs = Array.from({ length: 1 + random.below(3) }, () => random.pick(QUERY_NAMES));
  return `?${pairs.map((name) => `${name}=${escapeTarget(random.pick(HOSTILE_VALUES))}`).join("&")}`;
}

const ODD_HEADERS = (
  "If-None-Match If-Match Accept-Encoding Accept Range Origin Referer Sec-Fetch-Site X-Forwarded-For User-Agent " +
  "Cookie If-Modified-Since Authorization Content-Encoding Upgrade Expect Accept-Language Host"
).split(" ");

/** Creates an odd header. Line breaks are removed from its value, since they would make it another request. */
function createOddHeader(random: Random): string {
  const value = random.pick([
    ...HOSTILE_VALUES,
    "bytes=0-",
    "bytes=-1,5-2",
    "gzip;q=2, br;q=x",
    '"',
    "W/",
  ]);
  return `${random.pick(ODD_HEADERS)}: ${value.replaceAll(/[\r\n\0]/g, "")}`;
}

function createBody(type: string, random: Random): string {
  if (type.startsWith("multipart")) return createMultipart(random);
  if (type.includes("urlencoded"))
    return `${random.pick(FIELD_NAMES)}=${random.pick(HOSTILE_VALUES)}&step=${random.pick(HOSTILE_VALUES)}`;
  const json = JSON.stringify(createValue(random, 3));
  return random.below(6) === 0 ? json.slice(0, random.below(json.length + 1)) : json;
}

const DISPOSITIONS = [
  ...["", ' filename=""', ' filename="a.png"', ' filename="\0"'].map(
    (more) => `name="file";${more}`,
  ),
  'filename="x"',
  "name=file; filename*=UTF-8''%ff",
  'name=""',
  "",
];

function createMultipart(random: Random): string {
  const part = () =>
    `--b\r\nContent-Disposition: form-data; ${random.pick(DISPOSITIONS)}\r\n` +
    `Content-Type: ${random.pick(["image/png", "", "x"])}\r\n\r\n${random.pick(HOSTILE_VALUES)}\r\n`;
  return `${Array.from({ length: random.below(4) }, part).join("")}${random.pick(["--b--\r\n", "--b", ""])}`;
}

const FIELD_NAMES = (
  "username email password name formId data started website token currentPassword newPassword updates ids " +
  "order id status isActive mainTitle image imageUrl label options fieldType title url x"
).split(" ");

function createValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 6 : 4);
  if (kind === 0) return random.pick([null, true, 0, -1, 1e308, 2 ** 53, 0.1]);
  if (kind <= 3) return random.pick(HOSTILE_VALUES);
  if (kind === 4)
    return Array.from({ length: random.below(4) }, () => createValue(random, depth - 1));
  const names = Array.from({ length: random.below(6) }, () => random.pick(FIELD_NAMES));
  return Object.fromEntries(names.map((name) => [name, createValue(random, depth - 1)]));
}

/** Makes one to four changes to a request: a byte is replaced, removed or doubled, or the rest is cut off. */
function damageRequest(text: string, random: Random): string {
  let changed = text;
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(changed.length + 1);
    const [before, after] = [changed.slice(0, at), changed.slice(at)];
    const byte = String.fromCharCode(random.below(256));
    const rest = random.below(10) === 0 ? "" : after.slice(1);
    changed = before + random.pick([byte, "", byte + after.slice(0, 1), "\r\n"]) + rest;
  }
  return changed;
}
