/** Requests that no browser sends, made from a seed: the same seed makes the same ones. */
import { drawing } from "../server/storage/drawing.ts";

/** One request as bytes of Latin-1. */
export interface HostileRequest {
  readonly text: string;
  /** True if its declared length is right, so that a response must follow. */
  readonly complete: boolean;
}

/** The parts of the requests. */
export interface HostileContext {
  readonly seed: number;
  /** The server's own `host:port`. */
  readonly host: string;
  /** Half of the requests send it. */
  readonly cookie: string;
  /** Method and path of every route, as Elysia writes them: "GET", "/api/hero/:id". */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

/** Endless requests. */
export function* hostileRequests(context: HostileContext): Generator<HostileRequest> {
  const random = randomOf(context.seed);
  while (true) {
    const text = wholeRequest(context, random);
    const complete = random.below(5) > 0;
    yield { text: complete ? text : damaged(text, random), complete };
  }
}

const WORDS =
  "0 -1 1e999 NaN null undefined true [] {} __proto__ constructor toString // / * ? # ' ` $& {{7*7}} <script> " +
  '%ff % %00 %E0%A4%A %u0041 .. ../.. ..%2f..%2f %2e%2e%2f ..\\ "';

/** Texts that have broken programs before: encodings, paths, prototypes, numbers, markup. */
const NAUGHTY: readonly string[] = WORDS.split(" ").concat(
  ["", " ", "\0", "\r\nX: y", "\u00ff\u00fe", "\u00ed\u00a0\u0080", "\u00e2\u0080\u00ae"],
  ["a".repeat(3000), "9".repeat(21), "00000000-0000-7000-8000-000000000000"],
  `${"0".repeat(32)}.png`,
);

const METHODS = "GET HEAD POST PUT DELETE PATCH OPTIONS TRACE get M-SEARCH".split(" ");

const PAGES = ["/", "/coaching", "/privacy", "/admin", "/nothing", "/sitemap.xml", "/robots.txt"];

const TYPES = ["application/json", "multipart/form-data; boundary=b", "multipart/form-data"].concat(
  ["application/x-www-form-urlencoded", "text/plain", "", "application/json; charset=utf-7"],
);

/** Would end the fuzz's session, which other requests need. */
const LEFT_OUT = new Set(["/api/auth/logout"]);

interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  of<T>(choices: readonly T[]): T;
}

function randomOf(seed: number): Random {
  const below = drawing(seed);
  return { below, of: (choices) => choices[below(choices.length)]! };
}

function wholeRequest({ host, cookie, routes }: HostileContext, random: Random): string {
  const route = random.of(routes.filter(({ path }) => !LEFT_OUT.has(path)));
  const isPage = random.below(4) === 0;
  const path = isPage ? random.of(PAGES) : route.path;
  const usual = route.method === "ALL" || isPage ? "GET" : route.method;
  const method = random.below(4) === 0 ? random.of(METHODS) : usual;
  const target = filled(path, random) + query(random);
  const headers = random.below(2) === 0 ? [`Cookie: ${cookie}`] : [];
  if (random.below(20) > 0) headers.unshift(`Host: ${random.below(20) > 0 ? host : "nas"}`);
  if (random.below(3) === 0) headers.push(oddHeader(random));
  if (usual !== "GET" || random.below(8) === 0) {
    const type = random.of(TYPES);
    const body = bodyOf(type, random);
    if (type !== "") headers.push(`Content-Type: ${type}`);
    headers.push(`Content-Length: ${body.length}`);
    return `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
  }
  return `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
}

/** A route's path with other parameters, and sometimes more after it. */
function filled(path: string, random: Random): string {
  const real = path.replaceAll(/:\w+\??|\*/g, () => inTarget(random.of(NAUGHTY)));
  return random.below(6) === 0 ? `${real}/${inTarget(random.of(NAUGHTY))}` : real;
}

const inTarget = (text: string) => text.replaceAll(/[\r\n\0 ]/g, (char) => escape(char));

const escape = (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`;

const QUERIES = ["", ..."offset limit search status email token family __proto__".split(" ")];

function query(random: Random): string {
  if (random.below(3) > 0) return "";
  const pairs = Array.from({ length: 1 + random.below(3) }, () => random.of(QUERIES));
  return `?${pairs.map((name) => `${name}=${inTarget(random.of(NAUGHTY))}`).join("&")}`;
}

const ODD_HEADERS = (
  "If-None-Match If-Match Accept-Encoding Accept Range Origin Referer Sec-Fetch-Site X-Forwarded-For User-Agent " +
  "Cookie If-Modified-Since Authorization Content-Encoding Upgrade Expect Accept-Language Host"
).split(" ");

/** Removes line breaks in a value, which would make another request of it. */
function oddHeader(random: Random): string {
  const value = random.of([...NAUGHTY, "bytes=0-", "bytes=-1,5-2", "gzip;q=2, br;q=x", '"', "W/"]);
  return `${random.of(ODD_HEADERS)}: ${value.replaceAll(/[\r\n\0]/g, "")}`;
}

function bodyOf(type: string, random: Random): string {
  if (type.startsWith("multipart")) return multipart(random);
  if (type.includes("urlencoded"))
    return `${random.of(NAMES)}=${random.of(NAUGHTY)}&step=${random.of(NAUGHTY)}`;
  const json = JSON.stringify(value(random, 3));
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

function multipart(random: Random): string {
  const part = () =>
    `--b\r\nContent-Disposition: form-data; ${random.of(DISPOSITIONS)}\r\n` +
    `Content-Type: ${random.of(["image/png", "", "x"])}\r\n\r\n${random.of(NAUGHTY)}\r\n`;
  return `${Array.from({ length: random.below(4) }, part).join("")}${random.of(["--b--\r\n", "--b", ""])}`;
}

const NAMES = (
  "username email password name formId data started website token currentPassword newPassword updates ids " +
  "order id status isActive mainTitle image imageUrl label options fieldType title url x"
).split(" ");

function value(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 6 : 4);
  if (kind === 0) return random.of([null, true, 0, -1, 1e308, 2 ** 53, 0.1]);
  if (kind <= 3) return random.of(NAUGHTY);
  if (kind === 4) return Array.from({ length: random.below(4) }, () => value(random, depth - 1));
  const names = Array.from({ length: random.below(6) }, () => random.of(NAMES));
  return Object.fromEntries(names.map((name) => [name, value(random, depth - 1)]));
}

/** One to four changes of bytes: replaced, removed, doubled, or the rest cut off. */
function damaged(text: string, random: Random): string {
  let changed = text;
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(changed.length + 1);
    const [before, after] = [changed.slice(0, at), changed.slice(at)];
    const byte = String.fromCharCode(random.below(256));
    const rest = random.below(10) === 0 ? "" : after.slice(1);
    changed = before + random.of([byte, "", byte + after.slice(0, 1), "\r\n"]) + rest;
  }
  return changed;
}
