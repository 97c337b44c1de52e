/** The open data folder: its path, disk and log, and how failed writes are handled. */
import { ChangeListeners } from "../commitQueue.ts";
import { cannotStore } from "../../shared/errors.ts";
import { type Disk, FsyncError } from "../disk/disk.ts";
import { isDiskFull, DiskReserve } from "../disk/reserve.ts";
import { errorCause, errorCode, errorMessage } from "../../shared/errorDetails.ts";

export interface FolderOptions {
  directory: string;
  disk: Disk;
  log: (line: string) => void;
  onFatal: (error: Error) => never;
  /** Called for each damaged or missing file or copy that was repaired. If set, a start compares all copies. */
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
  /** Notified of every stored write. */
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

  /**
   * Runs a write; any failure becomes `cannot_store`; a failed fsync ends the process.
   * Essential writes may use the reserve on a full disk.
   */
  async write(target: string, work: () => Promise<void>, maySpendReserve = false): Promise<void> {
    this.assertWritable();
    try {
      await (maySpendReserve ? this.withReserve(work) : work());
      this.reserve.grow();
    } catch (error) {
      this.log(`storage: writing ${target} failed (${errorReason(error)})`);
      if (error instanceof FsyncError) this.#failFatally(error);
      throw cannotStore(undefined, error);
    }
  }

  /** Does what a full disk must not stop. Throws what the disk throws. */
  async withReserve(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      await this.reserve.withReleasedSpace(work);
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
      // Only a test's onFatal returns; all later writes are refused.
    }
  }
}

/** The content for the files of a document or list. */
export interface PendingWrite {
  /** Resolves once written. Throws `cannot_store`. */
  write(): Promise<void>;
  /** Call if it isn't written: the next time includes it. */
  discard(): void;
}

/** For the log: the error's code, or its message. */
export function errorReason(error: unknown): string {
  return errorCode(error) ?? errorCode(errorCause(error)) ?? errorMessage(error);
}
