/** The server's listener, and the address where the site is reached. */

/**
 * Bun's options. Bun's own size limit is off because its 413 has neither message nor headers. An unread body isn't held
 * in memory, and `readBytes` enforces the site's limits.
 */
export const LISTEN_OPTIONS = {
  reusePort: false,
  idleTimeout: 10,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
} as const;

/**
 * The longest time for a call of the dashboard, in seconds. Bun closes the connection of a request without a body after
 * `idleTimeout`, even while its response is prepared; emptying a large trash takes longer.
 */
export const DASHBOARD_CALL_TIMEOUT_S = 120;

/** Returns the host under which this machine reaches the site, even if the site listens on all addresses. */
export function findReachableHost({ host }: { readonly host: string }): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : formatUrlHost(host);
}

/** Formats a host for a URL: IPv6 in brackets. */
export const formatUrlHost = (host: string) => (host.includes(":") ? `[${host}]` : host);
