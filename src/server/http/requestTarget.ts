/** The target of a request: the part of its URL after the host, parsed and checked on arrival. */

export interface RequestTarget {
  /** The path with its query. */
  readonly target: string;
  /** The path without its query. */
  readonly path: string;
}

/** Extracts the target without a slow URL parser. Without a valid Host header, `url` is only the target. */
export function parseTarget(url: string): RequestTarget {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const target = start === -1 ? "/" : url.slice(start);
  const end = target.indexOf("?");
  const path = decodeUnreserved(end === -1 ? target : target.slice(0, end));
  return { target: end === -1 ? path : path + target.slice(end), path };
}

/**
 * Decodes characters that needn't be encoded but are in links of some programs: /privacy%2Dpolicy is /privacy-policy
 * (RFC 3986, section 6.2.2.2). Dots stay encoded, since decoded ones could lead out of a folder.
 */
function decodeUnreserved(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/%([2-7][\da-f])/gi, (encoded, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return /[\w~-]/.test(character) ? character : encoded;
  });
}

export const HEALTH_PATH = "/api/health";

export const ATTENTION_PATH = "/api/health/attention";

/** Routes that accept any Host, since uptime monitors often use an IP address. */
export const ANY_HOST_PATHS: ReadonlySet<string> = new Set([
  HEALTH_PATH,
  ATTENTION_PATH,
  "/metrics",
]);

/**
 * Whether a URL is absolute and without a fragment. Bun builds the URL from the Host header; if the header is missing
 * or invalid, the URL is the bare target, which other code would parse differently.
 */
export function isAbsoluteUrl(url: string): boolean {
  return !url.startsWith("/") && URL.canParse(url) && !url.includes("#");
}

/**
 * Replaces the request's URL by its checked target under a placeholder host. Elysia reads the path at a fixed offset,
 * which fails for `https://a/...`. Nothing in the application reads the host from this URL.
 */
export function setTarget(request: Request, { target }: RequestTarget): Request {
  return Object.defineProperty(request, "url", { value: `http://site.invalid${target}` });
}
