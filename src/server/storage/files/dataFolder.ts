/** An open data folder: its path, disk and log, and the handling of failed writes. */
import { ChangeListeners } from "../commitQueue.ts";
import { cannotStore } from "../../shared/errors.ts";
import { type Disk, FsyncError } from "../disk/disk.ts";
import { isDiskFull, DiskReserve } from "../disk/diskReserve.ts";
import { getErrorCause, getErrorCode, getErrorMessage } from "../../shared/errorDetails.ts";

export interface FolderOptions {
  directory: string;
  disk: Disk;
  log: (line: string) => void;
  /** Called after a failed fsync, to end the process. */
  onFatal: (error: Error) => never;
  /** Called for each damaged or missing file that was repaired. If this is set, a start also reads all copies. */
  onDamage?: OnDamage | undefined;
}

type OnDamage = (path: string, damage: unknown) => void;

export class DataFolder {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: (line: string) => void;
  readonly reserve: DiskReserve;
  readonly onDamage: OnDamage | undefined;
  readonly #onFatal: (error: Error) => never;
  readonly listeners: ChangeListeners;
  #isBroken = false;

  constructor(options: FolderOptions) {
    this.directory = options.directory;
    this.disk = options.disk;
    this.log = options.log;
    this.listeners = new ChangeListeners(options.log);
    this.reserve = new DiskReserve(options.disk, options.directory);
    this.onDamage = options.onDamage;
    this.#onFatal = options.onFatal;
  }

  /** Runs a write. With `canUseReserve`, it may use the reserved space on a full disk. Throws `cannot_store`. */
  async write(target: string, work: () => Promise<void>, canUseReserve = false): Promise<void> {
    this.assertWritable();
    try {
      await work().catch((error: unknown) => {
        if (!canUseReserve || !isDiskFull(error)) throw error;
        return this.reserve.withReleasedSpace(work);
      });
      this.reserve.grow();
    } catch (error) {
      this.log(`storage: writing ${target} failed (${getErrorReason(error)})`);
      if (error instanceof FsyncError) this.#failFatally(error);
      throw cannotStore(undefined, error);
    }
  }

  /** Throws `cannot_store` after a failed fsync. */
  assertWritable(): void {
    if (this.#isBroken) throw cannotStore();
  }

  #failFatally(error: FsyncError): void {
    this.#isBroken = true;
    this.log("storage: fsync failed, so the state of the disk is unknown; exiting");
    try {
      this.#onFatal(error);
    } catch {
      // Only a test's `onFatal` throws instead of ending the process.
    }
  }
}

/** The content of a document's or list's files that a checkpoint captured. */
export interface PendingWrite {
  /** Writes the content to the files. Throws `cannot_store`. */
  write(): Promise<void>;
  /** Called if the content wasn't written, so that the next checkpoint writes it. */
  discard(): void;
}

export function getErrorReason(error: unknown): string {
  return getErrorCode(error) ?? getErrorCode(getErrorCause(error)) ?? getErrorMessage(error);
}
