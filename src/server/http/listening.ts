/** The server's listener, and the address that results from it. */

/**
 * Bun's options. Bun's own size limit is off because its 413 has neither message nor headers; an unread body isn't
 * held in memory, and `readBytes` stops at our limit.
 */
export const LISTEN_OPTIONS = {
  reusePort: false,
  idleTimeout: 10,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
} as const;

/** The host under which this machine reaches the site, whatever it listens on. */
export function reachableHost({ host }: { readonly host: string }): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : formatUrlHost(host);
}

/** The host as written in a URL: IPv6 in brackets. */
export const formatUrlHost = (host: string) => (host.includes(":") ? `[${host}]` : host);

/** The part of Bun's server that is needed here. */
interface TimedServer {
  timeout(request: Request, seconds: number): void;
}

/**
 * For routes without a body that wait for another server, with a timeout of their own: Bun would close the connection
 * after `idleTimeout`, before there is a response. (With a body, it doesn't.)
 */
export function disableIdleTimeout(context: {
  request: Request;
  server: TimedServer | null;
}): void {
  context.server?.timeout(context.request, 0);
}
