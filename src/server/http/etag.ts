/** ETags of JSON answers: a reader's 304, and a writer's If-Match (design.md section 5). */

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
export function namesEtag(header: string, etag: string): boolean {
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
