/** Details of a caught error, which may be any value. */

/** Returns an error's code (ENOENT, ENOSPC …), if any. */
export function getErrorCode(error: unknown): string | undefined {
  const { code }: { code?: unknown } = Object(error);
  return typeof code === "string" ? code : undefined;
}

export const getErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Whether an error or one of its causes has one of these codes. */
export function hasErrorCode(codes: readonly string[], error: unknown): boolean {
  for (let each = error; each !== undefined; each = getErrorCause(each))
    if (codes.includes(getErrorCode(each) ?? "")) return true;
  return false;
}

const DENIED_CODES = ["EACCES", "EPERM", "SQLITE_CANTOPEN", "SQLITE_READONLY"];
const SYSTEM_FAILURE_CODES =
  "ENOSPC EDQUOT EFBIG EROFS EIO EMFILE ENFILE SQLITE_FULL SQLITE_IOERR".split(" ");

export const isPermissionError = (error: unknown): boolean => hasErrorCode(DENIED_CODES, error);

/** Whether the machine caused an error, and not the data: no space, no permission, a failing disk. */
export const isSystemError = (error: unknown): boolean =>
  hasErrorCode([...DENIED_CODES, ...SYSTEM_FAILURE_CODES], error);

export const getErrorCause = (error: unknown): unknown =>
  error instanceof Error ? error.cause : undefined;
