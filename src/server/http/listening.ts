/**
 * How Bun listens. Without a limit of its own, because its 413 has neither a message nor headers; what
 * nobody reads of a body is not kept in memory, and `readBytes` stops reading at ours.
 */
export const LISTENING = {
  reusePort: false,
  idleTimeout: 10,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
} as const;

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
