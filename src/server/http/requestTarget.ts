/** The target of a request, parsed once: nothing after the front door parses the address again. */

/** Both begin with a slash. */
export interface RequestTarget {
  /** With its query. */
  readonly target: string;
  /** Without its query. */
  readonly path: string;
}

/** Sliced rather than parsed: it runs for every request. A URL without a usable Host is the bare target. */
export function parseTarget(url: string): RequestTarget {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const target = start === -1 ? "/" : url.slice(start);
  const end = target.indexOf("?");
  return { target, path: end === -1 ? target : target.slice(0, end) };
}

/** Monitors may request this under any Host. */
export const HEALTH_PATH = "/api/health";

/** 503 for whatever needs somebody. */
export const ATTENTION_PATH = "/api/health/attention";

/** Routes that answer under any Host: monitors often use an IP address. */
export const ANY_HOST_PATHS: ReadonlySet<string> = new Set([
  HEALTH_PATH,
  ATTENTION_PATH,
  "/metrics",
]);

/**
 * True for an absolute URL without a fragment. Bun builds the URL from the Host header; with a missing or invalid
 * Host it is the bare target, which other code would parse differently.
 */
export function isAbsoluteUrl(url: string): boolean {
  return !url.startsWith("/") && URL.canParse(url) && !url.includes("#");
}

/**
 * Gives the request its checked target under a placeholder host. Elysia reads the path at a fixed offset, which
 * fails for `https://a/...`. Nothing in the application reads the host from this URL.
 */
export function setTarget(request: Request, { target }: RequestTarget): Request {
  return Object.defineProperty(request, "url", { value: `http://site.invalid${target}` });
}
