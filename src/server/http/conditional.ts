/** Conditional requests and content negotiation: a 304, or the bytes in the client's preferred encoding. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { changedSince } from "../shared/errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Encoding = "br" | "gzip" | "identity";

/** Bytes by encoding, each compressed or read when the first client needs it. */
type EncodedBytes = { readonly identity: () => Bytes | Promise<Bytes> } & {
  readonly [E in Encoding]?: () => Bytes | Promise<Bytes>;
};

/** A complete response, independent of who requests it. */
export interface Representation {
  /** Default: 200. */
  readonly status?: number;
  /** Without ETag, Vary and Content-Encoding, which are added. */
  readonly headers: Readonly<Record<string, string>> | Headers;
  /** Quoted; undefined for a response that is made for one request only. */
  readonly etag: string | undefined;
  readonly bytes: EncodedBytes;
  /** Too short to be worth compressing, unless the client refuses identity. */
  readonly isShort?: boolean;
  /** Range requests for it aren't served from here (RFC 9110, 14). */
  readonly hasRanges?: boolean;
}

/** In bytes. Anything shorter fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;

/** The one place where a response meets a request: 304, or the bytes in the client's preferred encoding. */
export async function respondConditionally(
  request: Request,
  representation: Representation,
): Promise<Response> {
  const { status = 200, etag, bytes } = representation;
  const headers = new Headers(representation.headers);
  if (etag) headers.set("etag", etag);
  if (bytes.br ?? bytes.gzip) headers.append("vary", "accept-encoding");
  if (status === 200 && matchesEtag(request, etag)) return createNotModified(headers);
  const encoding = chooseEncoding(request.headers.get("accept-encoding"), representation);
  if (encoding !== "identity") headers.set("content-encoding", encoding);
  return new Response(await assertDefined(bytes[encoding], encoding)(), { status, headers });
}

/** The same for a handler's own response: JSON gets an ETag, text an encoding. */
export async function addEtagAndEncoding(request: Request, response: Response): Promise<Response> {
  const { headers, status, body } = response;
  // Already negotiated.
  if (status !== 200 || headers.get("vary")?.includes("accept-encoding")) return response;
  const type = headers.get("content-type") ?? "";
  if (
    body === null ||
    request.method === "HEAD" ||
    headers.has("content-encoding") ||
    !isTextType(type)
  )
    return matchesEtag(request, headers.get("etag")) ? createNotModified(headers) : response;
  const made = await response.bytes();
  headers.delete("content-length");
  const isTagged = request.method === "GET" && type.startsWith("application/json");
  return respondConditionally(request, {
    headers,
    etag: headers.get("etag") ?? (isTagged ? createEtagOfBytes(made) : undefined),
    ...encodeText(made, BROTLI_LEVEL_UNCACHED),
  });
}

const isTextType = (type: string) =>
  /^(?:application\/(?:json|manifest\+json|xml)|text\/)/.test(type);

function createNotModified(headers: Headers): Response {
  const cacheHeaders = new Headers(headers);
  for (const name of ["content-length", "content-type", "content-encoding"])
    cacheHeaders.delete(name);
  return new Response(null, { status: 304, headers: cacheHeaders });
}

/** Close to Brotli's best, for what is compressed once and sent to everybody. */
export const BROTLI_LEVEL_CACHED = 6;
/** Most of the gain, in a tenth of the best level's time. */
const BROTLI_LEVEL_UNCACHED = 4;

/** Text with its encodings, each compressed once; `quality` is Brotli's, 0 to 11. */
export function encodeText(
  text: Bytes,
  quality: number,
): Pick<Representation, "bytes" | "isShort"> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return {
    isShort: text.length < MIN_COMPRESSED_BYTES,
    bytes: {
      identity: () => text,
      br: memoize(() => new Uint8Array(brotliCompressSync(text, { params }))),
      gzip: memoize(() => new Uint8Array(gzipSync(text))),
    },
  };
}

function memoize<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Of equally preferred encodings, the first wins. */
const ENCODINGS_BY_SIZE = ["br", "gzip", "identity"] as const;
/** Identity is acceptable when unnamed (RFC 9110, 12.5.3), but any named encoding is preferred. */
const UNNAMED_IDENTITY_WEIGHT = 0.0001;

/**
 * The client's preferred encoding of those available. A picture has only one: it is sent even to a client that
 * refuses identity, since a 406 would help nobody (RFC 9110, 15.5.7).
 */
export function chooseEncoding(
  header: string | null,
  { bytes, isShort }: Representation,
): Encoding {
  const weights = parseAcceptEncoding(header ?? "");
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ??
    weights.get("*") ??
    (encoding === "identity" ? UNNAMED_IDENTITY_WEIGHT : 0);
  if (isShort && weightOf("identity") > 0) return "identity";
  const available = ENCODINGS_BY_SIZE.filter((each) => bytes[each] && weightOf(each) > 0);
  return available.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? "identity";
}

/** Of a header with a list, as many entries are read. */
const MAX_HEADER_ENTRIES = 50;

const CODING_PATTERN =
  /^\s*(?<name>[\w!#$%&'*+.^`|~-]+)(?:\s*;\s*q=(?<weight>0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?\s*$/i;

/** Weights (0 to 1) by encoding (RFC 9110, 12.5.3); invalid entries are ignored. */
function parseAcceptEncoding(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(",", MAX_HEADER_ENTRIES).flatMap((each) => {
      const { name, weight = 1 } = CODING_PATTERN.exec(each)?.groups ?? {};
      if (name === undefined) return [];
      return [[name.toLowerCase().replace(/^x-(?=gzip$)/, ""), Number(weight)] as const];
    }),
  );
}

function matchesEtag({ method, headers }: Request, etag: string | null | undefined): boolean {
  const ifNoneMatch = headers.get("if-none-match");
  const isRead = method === "GET" || method === "HEAD";
  return isRead && !!etag && ifNoneMatch !== null && hasEtag(ifNoneMatch, etag);
}

/**
 * True when the header (If-Match, If-None-Match) names this ETag or is `*`. `W/` is ignored: compressing proxies add
 * it, and the hash still identifies the value.
 */
function hasEtag(header: string, etag: string): boolean {
  const named = header
    .split(",", MAX_HEADER_ENTRIES)
    .map((each) => each.trim().replace(/^W\//, ""));
  return named.includes(etag) || named.includes("*");
}

/** The quoted hash of a value's JSON. */
export function createEtag(value: unknown): string {
  return createEtagOfBytes(JSON.stringify(value) ?? "");
}

/**
 * The headers of a write: the ETags of the new value and of the one it replaced. By the second a client sees
 * whether its write followed the version it had read, or somebody else's.
 */
export const createEtagHeaders = (made: unknown, of: unknown) => ({
  etag: createEtag(made),
  "x-previous-etag": createEtag(of),
});

function createEtagOfBytes(bytes: string | Uint8Array): string {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
  return `"${hash.slice(0, 27)}"`;
}

/**
 * Keeps a save from overwriting a version its sender hasn't seen. Call it inside the store's update, with what the
 * owner's GET returns now.
 * @throws {Refusal} 412 with `current`, when If-Match names another version.
 */
export function assertIfMatch(request: Request, current: unknown): void {
  assertEtag(request.headers.get("if-match"), current);
}

/** The same for an ETag that wasn't sent in a header; null accepts any version. */
export function assertEtag(expected: string | null, current: unknown): void {
  if (expected === null) return;
  const etag = createEtag(current);
  if (hasEtag(expected, etag)) return;
  throw changedSince(current, etag);
}
