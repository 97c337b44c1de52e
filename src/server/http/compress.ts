/** Compresses what is made for one request: JSON and other text that was not compressed ahead. */
import { brotliCompressSync, constants } from "node:zlib";

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
