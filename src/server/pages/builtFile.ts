/** Files of the web build: read once, kept compressed in memory, immutable by name. */

/** A built file as the build's manifest names it. */
export interface BuiltFile {
  /** Where it is served, with a hash of its content in the name. */
  readonly url: string;
  readonly type: string;
  /** Path of the plain bytes, on the disk or inside the executable. */
  readonly identity: string;
  readonly gzip?: string;
  readonly br?: string;
}

type Encoding = "br" | "gzip" | "identity";

const HEADERS = { "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" };

/** Answers requests for built files; undefined for a path that is none. */
export function builtFileServer(files: readonly BuiltFile[]) {
  const byUrl = new Map(files.map((file) => [file.url, file]));
  const bytes = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const read = (path: string) => {
    const known = bytes.get(path) ?? Bun.file(path).bytes();
    bytes.set(path, known);
    return known;
  };
  return async (path: string, request: Request): Promise<Response | undefined> => {
    const file = byUrl.get(path);
    if (!file) return undefined;
    const etag = `"${path.slice(path.lastIndexOf("/") + 1)}"`;
    const headers = { ...HEADERS, "content-type": file.type, etag };
    if (request.headers.get("if-none-match") === etag)
      return new Response(null, { status: 304, headers });
    const encoding = bestEncoding(request, file);
    const encoded =
      encoding === "identity" ? headers : { ...headers, "content-encoding": encoding };
    return new Response(await read(file[encoding]!), { headers: encoded });
  };
}

/** The smallest encoding that the client takes and that there is. */
export function bestEncoding(
  request: Request,
  there: Partial<Record<Encoding, unknown>>,
): Encoding {
  const accepted = request.headers.get("accept-encoding") ?? "";
  const takes = (encoding: Encoding) =>
    new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted) &&
    there[encoding] !== undefined;
  return takes("br") ? "br" : takes("gzip") ? "gzip" : "identity";
}
