/** Conditional requests (If-None-Match, If-Match) and content negotiation (Accept-Encoding). */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { normalizeEtag } from "../../schema/core/http.ts";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { staleVersion } from "../shared/errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Encoding = "br" | "gzip" | "identity";

/** The bytes of a response by encoding. Each encoding is compressed or read on first use. */
type EncodedBytes = { readonly identity: () => Bytes | Promise<Bytes> } & {
  readonly [E in Encoding]?: () => Bytes | Promise<Bytes>;
};

/** A response before it is adapted to a client: its status, its headers, and its body in all encodings. */
export interface Representation {
  /** Default: 200. */
  readonly status?: number;
  /** The headers without ETag, Vary and Content-Encoding, which `respondConditionally` adds. */
  readonly headers: Readonly<Record<string, string>> | Headers;
  /** The quoted ETag; undefined for a response that is made for one request only. */
  readonly etag: string | undefined;
  readonly bytes: EncodedBytes;
  /** True for a response too short to be worth compressing. It is sent uncompressed unless the client refuses that. */
  readonly isShort?: boolean;
  /** True if range requests for this response are served elsewhere (RFC 9110, 14). */
  readonly hasRanges?: boolean;
}

/** The smallest size that is compressed, in bytes. Anything smaller fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;

/** Responds to a request with a 304, or with the bytes in the client's preferred encoding. */
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

/** Adds an ETag to a JSON response of a handler, and an encoding to a text response. */
export async function addEtagAndEncoding(request: Request, response: Response): Promise<Response> {
  const { headers, status, body } = response;
  // The encoding of this response has been negotiated already.
  if (status !== 200 || headers.get("vary")?.includes("accept-encoding")) return response;
  const type = headers.get("content-type") ?? "";
  if (
    body === null ||
    request.method === "HEAD" ||
    headers.has("content-encoding") ||
    !isTextType(type)
  )
    return matchesEtag(request, headers.get("etag")) ? createNotModified(headers) : response;
  const bytes = await response.bytes();
  headers.delete("content-length");
  const shouldAddEtag = request.method === "GET" && type.startsWith("application/json");
  return respondConditionally(request, {
    headers,
    etag: headers.get("etag") ?? (shouldAddEtag ? createEtagOfBytes(bytes) : undefined),
    ...encodeText(bytes, BROTLI_LEVEL_UNCACHED),
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

/** The Brotli level for texts that are compressed once and sent to everybody: close to the best compression. */
export const BROTLI_LEVEL_CACHED = 6;
/** The Brotli level for single responses: most of the gain, in a tenth of the best level's time. */
const BROTLI_LEVEL_UNCACHED = 4;

/** Returns a text in all encodings, each compressed once on first use. `quality` is Brotli's level, 0 to 11. */
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

function memoize<T>(compute: () => T): () => T {
  let cached: T | undefined;
  return () => (cached ??= compute());
}

/** Of equally preferred encodings, the first wins. */
const ENCODINGS_BY_SIZE = ["br", "gzip", "identity"] as const;
/** Uncompressed responses are acceptable if the header doesn't name them (RFC 9110, 12.5.3), but come last. */
const UNNAMED_IDENTITY_WEIGHT = 0.0001;

/**
 * Returns the available encoding that the client prefers. A picture has only one encoding, which is sent even if the
 * client refuses it: a 406 would help nobody (RFC 9110, 15.5.7).
 */
export function chooseEncoding(
  header: string | null,
  { bytes, isShort }: Representation,
): Encoding {
  const weights = parseAcceptEncoding(header ?? "");
  const getWeight = (encoding: Encoding) =>
    weights.get(encoding) ??
    weights.get("*") ??
    (encoding === "identity" ? UNNAMED_IDENTITY_WEIGHT : 0);
  if (isShort && getWeight("identity") > 0) return "identity";
  const availableEncodings = ENCODINGS_BY_SIZE.filter((each) => bytes[each] && getWeight(each) > 0);
  return availableEncodings.toSorted((a, b) => getWeight(b) - getWeight(a))[0] ?? "identity";
}

/** The maximum number of entries that are read from a header, so that a very long header takes little time. */
const MAX_HEADER_ENTRIES = 50;

const CODING_PATTERN =
  /^\s*(?<name>[\w!#$%&'*+.^`|~-]+)(?:\s*;\s*q=(?<weight>0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?\s*$/i;

/** Returns weights (0 to 1) by encoding (RFC 9110, 12.5.3). Ignores invalid entries. */
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
  const isReadRequest = method === "GET" || method === "HEAD";
  return isReadRequest && !!etag && ifNoneMatch !== null && hasEtag(ifNoneMatch, etag);
}

/** Whether an If-Match or If-None-Match header is `*` or names this ETag. Ignores what a proxy adds to an ETag. */
function hasEtag(header: string, etag: string): boolean {
  const namedEtags = header
    .split(",", MAX_HEADER_ENTRIES)
    .map((each) => normalizeEtag(each.trim()));
  return namedEtags.includes(normalizeEtag(etag)) || namedEtags.includes("*");
}

/** Returns the quoted hash of a value's JSON. */
export function createEtag(value: unknown): string {
  return createEtagOfBytes(JSON.stringify(value) ?? "");
}

/**
 * Returns the ETags of the new and the replaced value, as headers. A client compares the latter with the version that
 * it read, to detect a write by somebody else.
 */
export const createEtagHeaders = (value: unknown, previous: unknown) => ({
  etag: createEtag(value),
  "x-previous-etag": createEtag(previous),
});

function createEtagOfBytes(bytes: string | Uint8Array): string {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
  return `"${hash.slice(0, 27)}"`;
}

/**
 * Throws a 412 with `current` if If-Match names another version, so that a save can't overwrite a change that its
 * sender hasn't seen. `current` is what the owner's GET would return now. Must be called inside the store's update.
 */
export function assertIfMatch(request: Request, current: unknown): void {
  assertEtag(request.headers.get("if-match"), current);
}

/** Like `assertIfMatch`, for an ETag that wasn't sent in a header. Null accepts any version. */
export function assertEtag(expected: string | null, current: unknown): void {
  if (expected === null) return;
  const etag = createEtag(current);
  if (hasEtag(expected, etag)) return;
  throw staleVersion(current, etag);
}
