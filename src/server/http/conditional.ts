/** Compresses what is made for one request: JSON and other text that was not compressed ahead. */
import { brotliCompressSync, constants } from "node:zlib";
import { changedElsewhere, Refusal } from "./errors.ts";

// ETags of JSON answers: a reader's 304, and a writer's If-Match (design.md section 5).

/** The quoted hash of the JSON bytes of a value. */
export function etagOf(value: unknown): string {
  return etagOfBytes(JSON.stringify(value) ?? "");
}

function etagOfBytes(bytes: string | Uint8Array): string {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url");
  return `"${hash.slice(0, 27)}"`;
}

/**
 * True when a header (If-Match, If-None-Match) names this ETag or is `*`. `W/` is passed over:
 * proxies that compress add it, and the hash still names the same value.
 */
function namesEtag(header: string, etag: string): boolean {
  const named = header.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return named.includes(etag) || named.includes("*");
}

/** Gives a read's answer its ETag, and turns it into a 304 when the reader has it already. */
export async function withEtag(request: Request, response: Response): Promise<Response> {
  if ((request.method !== "GET" && request.method !== "HEAD") || response.status !== 200)
    return response;
  const tagged = request.method === "GET" ? await tag(response) : response;
  const etag = tagged.headers.get("etag");
  const known = request.headers.get("if-none-match");
  if (!etag || !known || !namesEtag(known, etag)) return tagged;
  const headers = new Headers(tagged.headers);
  for (const name of ["content-length", "content-type", "content-encoding"]) headers.delete(name);
  return new Response(null, { status: 304, headers });
}

async function tag(response: Response): Promise<Response> {
  const { headers } = response;
  if (headers.has("etag") || !headers.get("content-type")?.startsWith("application/json"))
    return response;
  const bytes = await response.bytes();
  const tagged = new Response(bytes, { headers });
  tagged.headers.set("etag", etagOfBytes(bytes));
  return tagged;
}

// Keeps a save from overwriting one that it has not seen (design.md section 5, If-Match).

/**
 * To be called inside the store's update, with what the owner's GET answers now. Raises a 412 with
 * it as `current` when the request names another state.
 */
export function requireMatch(request: Request, current: unknown): void {
  const expected = request.headers.get("if-match");
  if (expected === null) return;
  const etag = etagOf(current);
  if (namesEtag(expected, etag)) return;
  const { status, body } = changedElsewhere(current);
  throw new Refusal(status, body, { etag });
}

/** Below this a packet is not filled anyway, in bytes. */
const WORTH_IT = 1024;
const TEXT = /^(?:application\/(?:json|manifest\+json|xml)|text\/)/;
/** Most of the gain at a tenth of the time of the best level. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The answer in the smallest encoding that the client takes; as it is when nothing is gained. */
export async function compressed(request: Request, response: Response): Promise<Response> {
  if (!isCompressible(response)) return response;
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined;
  response.headers.append("vary", "accept-encoding");
  if (!encoding) return response;
  const { headers, status } = response;
  const bytes = await response.bytes();
  if (bytes.length < WORTH_IT) return new Response(bytes, { status, headers });
  const small = encoding === "br" ? brotliCompressSync(bytes, QUALITY) : Bun.gzipSync(bytes);
  headers.set("content-encoding", encoding);
  headers.delete("content-length");
  return new Response(new Uint8Array(small), { status, headers });
}

function isCompressible({ headers, body, status }: Response): boolean {
  if (body === null || status !== 200 || headers.has("content-encoding")) return false;
  // Pages and built files come with an encoding of their own, or were asked for without one.
  return (
    !headers.get("vary")?.includes("accept-encoding") &&
    TEXT.test(headers.get("content-type") ?? "")
  );
}
