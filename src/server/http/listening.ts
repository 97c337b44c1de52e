/**
 * How Bun listens. Without a limit of its own, because its 413 has neither a message nor headers; what
 * nobody reads of a body is not kept in memory, and `readBytes` stops reading at ours.
 */
export const LISTENING = {
  reusePort: false,
  idleTimeout: 10,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
} as const;
