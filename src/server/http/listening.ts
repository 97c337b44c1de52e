/** How a site listens, and the address that it has by that. */

/**
 * How Bun listens. Without a limit of its own, because its 413 has neither a message nor headers; what
 * nobody reads of a body is not kept in memory, and `readBytes` stops reading at ours.
 */
export const LISTENING = {
  reusePort: false,
  idleTimeout: 10,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
} as const;

/** The host of a site's address on this machine, whatever it listens on. */
export function hostOf({ host }: { readonly host: string }): string {
  return host === "0.0.0.0" || host === "::" ? "127.0.0.1" : inAddress(host);
}

/** As a host stands in an address: IPv6 in brackets. */
export const inAddress = (host: string) => (host.includes(":") ? `[${host}]` : host);

/** Bun's server, as far as it is needed here. */
interface TimedServer {
  timeout(request: Request, seconds: number): void;
}

/**
 * For a route without a body that waits for a server elsewhere, which has a limit of its own: Bun would cut the
 * browser's line after `idleTimeout`, before there is anything to tell. (With a body, it doesn't.)
 */
export function takesLong(context: { request: Request; server: TimedServer | null }): void {
  context.server?.timeout(context.request, 0);
}
