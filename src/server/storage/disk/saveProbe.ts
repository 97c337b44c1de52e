/** Tries everything that a save needs, with a temporary file, and explains what fails. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { cannotStore } from "../../shared/errors.ts";
import { createFile, type Disk, FsyncError, orUndefinedIfMissing, syncPath } from "./disk.ts";
import { errorCode } from "../../shared/errorDetails.ts";

/** A disk slower than this for a small file is useless. In milliseconds. */
const PROBE_TIMEOUT_MS = 5000;

/**
 * Returns a function that writes, syncs, reads back and renames a file, and syncs the folder, like a save. Throws
 * `cannot_store`, even if the disk just doesn't respond: then it isn't asked again until it has. A failed fsync ends no
 * process here: the file has no data that was promised to anybody.
 */
export function createSaveProbe(disk: Disk, directory: string, patience = PROBE_TIMEOUT_MS) {
  let running: Promise<void> | undefined;
  return async (): Promise<void> => {
    running ??= saveProbeFile(disk, directory).finally(() => (running = undefined));
    const { promise: tooLong, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(createSlowError(patience)), patience);
    try {
      await Promise.race([running, tooLong]);
    } catch (error) {
      throw cannotStore(saveProblemMessage(error), error);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Named like unfinished writes: the next start removes what a kill leaves. */
async function saveProbeFile(disk: Disk, directory: string): Promise<void> {
  const inside = () => join(directory, `health.${randomUUID()}.tmp`);
  const [first, second] = [inside(), inside()];
  const bytes = new TextEncoder().encode(first);
  try {
    await createFile(disk, first, bytes);
    if (!Buffer.from(await disk.read(first)).equals(bytes)) throw new Error(WRONG_DATA);
    await disk.rename(first, second);
    await syncPath(disk, directory);
  } finally {
    for (const path of [first, second])
      await orUndefinedIfMissing(disk.remove(path)).catch(() => {});
  }
}

const WRONG_DATA = "returned data that differs from what was written";

const SLOW_CODE = "slow";

const createSlowError = (ms: number) =>
  Object.assign(new Error(`no response within ${ms} ms`), { code: SLOW_CODE });

const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full, so nothing can be saved. Free up space.",
  EDQUOT: "The disk's quota is used up, so nothing can be saved. Raise it, or free up space.",
  EROFS: "The disk is mounted read-only, so nothing can be saved. The system's log says why.",
  EACCES: "The site's folders aren't writable. Make the user who runs Limelight their owner.",
  EMFILE: "Too many files are open, so nothing can be saved. Raise the limit (LimitNOFILE).",
  ENOENT: "One of the site's folders is missing, so nothing can be saved. Is its disk mounted?",
  [SLOW_CODE]: "The disk hasn't responded for 5 seconds. It may be failing, or very busy.",
};

function saveProblemMessage(error: unknown): string {
  const cause = error instanceof FsyncError ? error.cause : error;
  const code = errorCode(cause) ?? "";
  return MESSAGES_BY_CODE[EQUIVALENT_CODES[code] ?? code] ?? unreadableMessage(code);
}

const unreadableMessage = (code: string) =>
  code
    ? `The site can't read or write its data at the moment (${code}).`
    : "The site can't read or write its data at the moment.";

const EQUIVALENT_CODES: Readonly<Record<string, string>> = { EPERM: "EACCES", ENFILE: "EMFILE" };
