/** What a request asks for, read from its address once and handed on: nobody after the front door reads it in another way. */

/** Both begin with a slash. */
export interface Asked {
  /** With its query. */
  readonly target: string;
  /** Without its query. */
  readonly path: string;
}

/** Cut out rather than parsed, since every request asks for it. Only without a usable Host is an address no more than that. */
export function askedFor(url: string): Asked {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const target = start === -1 ? "/" : url.slice(start);
  const end = target.indexOf("?");
  return { target, path: end === -1 ? target : target.slice(0, end) };
}

/** What monitors may ask for without saying which host they mean. */
export const HEALTH = "/api/health";

/** What they may ask for under any host: by a number, from this machine. */
export const WATCHED: ReadonlySet<string> = new Set([HEALTH, "/metrics"]);

/**
 * True for an address with a host, and nothing in it that stays in the browser. Bun builds it from the Host header; with none,
 * or one that can't be a host, it is the bare target, in which others would look for the path's start elsewhere.
 */
export function isWhole(url: string): boolean {
  return !url.startsWith("/") && URL.canParse(url) && !url.includes("#");
}

/**
 * Gives a request the address that was checked, under a host that stands for any: Elysia looks for the path's start a
 * number of letters from the left, and so finds another one in `https://a/...`. Nothing in the application asks for
 * the host there.
 */
export function handOn(request: Request, { target }: Asked): Request {
  return Object.defineProperty(request, "url", { value: `http://site.invalid${target}` });
}
