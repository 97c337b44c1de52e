/** Checks with a temporary file whether data can be saved, and explains what fails. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { cannotStore } from "../../shared/errors.ts";
import { createFile, type Disk, FsyncError, syncPath } from "./disk.ts";
import { getErrorCode } from "../../shared/errorDetails.ts";
import { withTimeout } from "../../shared/concurrency.ts";

/** A disk that takes longer to save a small file is reported as unusable. */
const PROBE_TIMEOUT_MS = 5000;

/**
 * Returns a function that tests a save, and throws `cannot_store` if it fails or takes too long. A failed fsync doesn't
 * end the process here, because the file contains no acknowledged data.
 */
export function createSaveProbe(disk: Disk, directory: string, timeoutMs = PROBE_TIMEOUT_MS) {
  let runningProbe: Promise<void> | undefined;
  return async (): Promise<void> => {
    runningProbe ??= saveProbeFile(disk, directory).finally(() => (runningProbe = undefined));
    try {
      await withTimeout(runningProbe, timeoutMs, () =>
        Object.assign(new Error(), { code: SLOW_CODE }),
      );
    } catch (error) {
      throw cannotStore(createSaveProblemMessage(error), error);
    }
  };
}

/** The file has a temporary file's name, so the next start removes it if the process was killed. */
async function saveProbeFile(disk: Disk, directory: string): Promise<void> {
  const createPath = () => join(directory, `health.${randomUUID()}.tmp`);
  const [firstPath, secondPath] = [createPath(), createPath()];
  const bytes = new TextEncoder().encode(firstPath);
  try {
    await createFile(disk, firstPath, bytes);
    if (!Buffer.from(await disk.read(firstPath)).equals(bytes)) throw new Error(WRONG_DATA);
    await disk.rename(firstPath, secondPath);
    await syncPath(disk, directory);
  } finally {
    for (const path of [firstPath, secondPath]) await disk.remove(path).catch(() => {});
  }
}

const WRONG_DATA = "returned data that differs from what was written";

const SLOW_CODE = "slow";

const TOO_MANY_FILES_MESSAGE =
  "Too many files are open, so nothing can be saved. Raise the limit (LimitNOFILE).";
const NOT_WRITABLE_MESSAGE =
  "The site's folders aren't writable. Make the user who runs Limelight their owner.";
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full, so nothing can be saved. Free up space.",
  EDQUOT: "The disk quota is used up, so nothing can be saved. Raise the quota, or free up space.",
  EROFS: "The disk is mounted read-only, so nothing can be saved. The system's log says why.",
  EACCES: NOT_WRITABLE_MESSAGE,
  EPERM: NOT_WRITABLE_MESSAGE,
  EMFILE: TOO_MANY_FILES_MESSAGE,
  ENFILE: TOO_MANY_FILES_MESSAGE,
  ENOENT: "One of the site's folders is missing, so nothing can be saved. Is its disk mounted?",
  [SLOW_CODE]: "The disk hasn't responded for 5 seconds. It may be failing, or very busy.",
};

function createSaveProblemMessage(error: unknown): string {
  const cause = error instanceof FsyncError ? error.cause : error;
  const code = getErrorCode(cause);
  const detail = code === undefined ? "" : ` (${code})`;
  return (
    MESSAGES_BY_CODE[code ?? ""] ?? `The site can't read or write its data at the moment${detail}.`
  );
}
