/** What of an answer a client is sent: nothing when it has it already, else the encoding that it takes. */
import { present } from "../../schema/present.ts";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { changedElsewhere } from "../shared/errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Encoding = "br" | "gzip" | "identity";

/** Bytes by encoding, each made or read when the first client takes it. */
type EncodedBytes = { readonly identity: () => Bytes | Promise<Bytes> } & {
  readonly [E in Encoding]?: () => Bytes | Promise<Bytes>;
};

/** An answer as a whole, before it is known who asks. */
export interface Representation {
  /** Default: 200. */
  readonly status?: number;
  /** Without ETag, Vary and Content-Encoding, which are added. */
  readonly headers: Readonly<Record<string, string>> | Headers;
  /** Quoted; undefined for what is made for one request and never asked for again. */
  readonly etag: string | undefined;
  readonly bytes: EncodedBytes;
  /** Not worth compressing: encoded only for a client that refuses it as it is. */
  readonly isShort?: boolean;
  /** Parts of it may be asked for, which are not sent from here (RFC 9110, 14). */
  readonly hasRanges?: boolean;
}

/** In bytes. Less than this fits into one packet anyway. */
const WORTH_IT = 1024;

/** The one place where an answer meets a request: 304, or the bytes in the encoding that the client prefers. */
export async function negotiated(request: Request, answer: Representation): Promise<Response> {
  const { status = 200, etag, bytes } = answer;
  const headers = new Headers(answer.headers);
  if (etag) headers.set("etag", etag);
  if (bytes.br ?? bytes.gzip) headers.append("vary", "accept-encoding");
  if (status === 200 && isKnown(request, etag)) return notModified(headers);
  const encoding = encodingFor(request.headers.get("accept-encoding"), answer);
  if (encoding !== "identity") headers.set("content-encoding", encoding);
  return new Response(await present(bytes[encoding], encoding)(), { status, headers });
}

/** The same for what a handler has made for one request: JSON gets its ETag, text an encoding. */
export async function completed(request: Request, response: Response): Promise<Response> {
  const { headers, status, body } = response;
  // What was negotiated says so.
  if (status !== 200 || headers.get("vary")?.includes("accept-encoding")) return response;
  const type = headers.get("content-type") ?? "";
  if (
    body === null ||
    request.method === "HEAD" ||
    headers.has("content-encoding") ||
    !isText(type)
  )
    return isKnown(request, headers.get("etag")) ? notModified(headers) : response;
  const made = await response.bytes();
  headers.delete("content-length");
  const isTagged = request.method === "GET" && type.startsWith("application/json");
  return negotiated(request, {
    headers,
    etag: headers.get("etag") ?? (isTagged ? etagOfBytes(made) : undefined),
    ...encodedText(made, MADE_FOR_ONE_REQUEST),
  });
}

const isText = (type: string) => /^(?:application\/(?:json|manifest\+json|xml)|text\/)/.test(type);

function notModified(headers: Headers): Response {
  const kept = new Headers(headers);
  for (const name of ["content-length", "content-type", "content-encoding"]) kept.delete(name);
  return new Response(null, { status: 304, headers: kept });
}

/** Near to the best of Brotli, for what is compressed once and sent to everybody. */
export const MADE_ONCE = 6;
/** Most of the gain, in a tenth of the time that the best level takes. */
const MADE_FOR_ONE_REQUEST = 4;

/** Text with its encodings, each made once; `quality` is Brotli's, 0 to 11. */
export function encodedText(
  text: Bytes,
  quality: number,
): Pick<Representation, "bytes" | "isShort"> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return {
    isShort: text.length < WORTH_IT,
    bytes: {
      identity: () => text,
      br: once(() => new Uint8Array(brotliCompressSync(text, { params }))),
      gzip: once(() => new Uint8Array(gzipSync(text))),
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Among encodings that a client likes as much, the first. */
const SMALLEST_FIRST = ["br", "gzip", "identity"] as const;
/** What a client does not name it takes as it is (RFC 9110, 12.5.3), but likes whatever it names better. */
const UNNAMED_IDENTITY = 0.0001;

/**
 * The encoding that the client prefers of those there are. A picture has one only: it is sent even to a
 * client that refuses it as it is, since a 406 would help nobody (RFC 9110, 15.5.7).
 */
export function encodingFor(header: string | null, { bytes, isShort }: Representation): Encoding {
  const weights = acceptedEncodings(header ?? "");
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get("*") ?? (encoding === "identity" ? UNNAMED_IDENTITY : 0);
  if (isShort && weightOf("identity") > 0) return "identity";
  const there = SMALLEST_FIRST.filter((each) => bytes[each] && weightOf(each) > 0);
  return there.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? "identity";
}

const CODING =
  /^\s*(?<name>[\w!#$%&'*+.^`|~-]+)(?:\s*;\s*q=(?<weight>0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?\s*$/i;

/** Weights (0 to 1) by encoding, after RFC 9110, 12.5.3; what is not of its grammar is passed over. */
function acceptedEncodings(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(",").flatMap((each) => {
      const { name, weight = 1 } = CODING.exec(each)?.groups ?? {};
      if (name === undefined) return [];
      return [[name.toLowerCase().replace(/^x-(?=gzip$)/, ""), Number(weight)] as const];
    }),
  );
}

function isKnown({ method, headers }: Request, etag: string | null | undefined): boolean {
  const known = headers.get("if-none-match");
  const isRead = method === "GET" || method === "HEAD";
  return isRead && !!etag && known !== null && namesEtag(known, etag);
}

/**
 * True when a header (If-Match, If-None-Match) names this ETag or is `*`. `W/` is passed over:
 * proxies that compress add it, and the hash still names the same value.
 */
function namesEtag(header: string, etag: string): boolean {
  const named = header.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return named.includes(etag) || named.includes("*");
}

/** The quoted hash of the JSON bytes of a value. */
export function etagOf(value: unknown): string {
  return etagOfBytes(JSON.stringify(value) ?? "");
}

/**
 * The headers of a write: the ETags of what it made, and of what it was made of. By the second a client
 * tells whether its own write stands on what it has read, or on somebody else's.
 */
export const etagsOf = (made: unknown, of: unknown) => ({
  etag: etagOf(made),
  "x-previous-etag": etagOf(of),
});

function etagOfBytes(bytes: string | Uint8Array): string {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
  return `"${hash.slice(0, 27)}"`;
}

/**
 * Keeps a save from overwriting one that it has not seen: to be called inside the store's update, with
 * what the owner's GET returns now.
 * @throws {Refusal} 412 with `current` in it, when the request's If-Match names another state.
 */
export function requireMatch(request: Request, current: unknown): void {
  requireState(request.headers.get("if-match"), current);
}

/** The same for an ETag that came in another way than as a header; null: any state will do. */
export function requireState(expected: string | null, current: unknown): void {
  if (expected === null) return;
  const etag = etagOf(current);
  if (namesEtag(expected, etag)) return;
  throw changedElsewhere(current, etag);
}
