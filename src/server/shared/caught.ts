/** What a caught error says; it may be anything. */

/** Node's error code (ENOENT, ENOSPC …), if any. */
export function codeOf(error: unknown): string | undefined {
  const { code }: { code?: unknown } = Object(error);
  return typeof code === "string" ? code : undefined;
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** What caused it, if it says so. */
export const causeOf = (error: unknown): unknown =>
  error instanceof Error ? error.cause : undefined;
