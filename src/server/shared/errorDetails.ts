/** The message of a caught error, which may be any value. */

/** Node's error code (ENOENT, ENOSPC …), if any. */
export function errorCode(error: unknown): string | undefined {
  const { code }: { code?: unknown } = Object(error);
  return typeof code === "string" ? code : undefined;
}

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Whether an error or one of its causes has one of these codes. */
function isAmong(codes: readonly string[], error: unknown): boolean {
  for (let each = error; each !== undefined; each = errorCause(each))
    if (codes.includes(errorCode(each) ?? "")) return true;
  return false;
}

const DENIED = ["EACCES", "EPERM", "SQLITE_CANTOPEN", "SQLITE_READONLY"];
const FAILING = "ENOSPC EDQUOT EFBIG EROFS EIO EMFILE ENFILE SQLITE_FULL SQLITE_IOERR".split(" ");

/** Whether a missing permission is behind an error. */
export const isDenied = (error: unknown): boolean => isAmong(DENIED, error);

/** Whether the machine causes an error, regardless of the data: no space, no permission, a failing disk. */
export const isOfTheMachine = (error: unknown): boolean => isAmong([...DENIED, ...FAILING], error);

export const errorCause = (error: unknown): unknown =>
  error instanceof Error ? error.cause : undefined;
