/** The opened data folder: where it is, its disk, its log, and what happens when a write fails. */
import { cannotStore } from "../shared/errors.ts";
import { codeOf, type Disk, FailedSync } from "./disk.ts";
import { isFull, Reserve } from "./reserve.ts";
import { isStanding, standing } from "./standstill.ts";

export interface FolderOptions {
  directory: string;
  disk: Disk;
  log: (line: string) => void;
  onFatal: (error: Error) => never;
}

export class DataFolder {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: (line: string) => void;
  readonly reserve: Reserve;
  /** The logs that a kill left (see lineLog.ts), until a start has put them into their files. */
  readonly logs = new Set<string>();
  /** Files without a checksum are taken: true until all files of an earlier release have got one. */
  takesUnsealed = true;
  /** How many files of an earlier release got a checksum since the start. */
  sealings = 0;
  readonly #onFatal: (error: Error) => never;
  readonly #listeners = new Set<(name: string) => void>();
  #broken = false;

  constructor(options: FolderOptions) {
    this.directory = options.directory;
    this.disk = options.disk;
    this.log = options.log;
    this.reserve = new Reserve(options.disk, options.directory);
    this.#onFatal = options.onFatal;
  }

  /**
   * Runs one write; any failure becomes `cannot_store`, so does a site that is being moved, and a failed fsync ends the
   * process. A write that its owner needs on a full disk as well may spend the reserve.
   */
  async write(what: string, work: () => Promise<void>, maySpendReserve = false): Promise<void> {
    this.assertWhole();
    if (isStanding(this.directory)) throw standing();
    try {
      await (maySpendReserve ? this.withReserve(work) : work());
      this.reserve.grow();
    } catch (error) {
      this.log(`storage: writing ${what} failed (${reasonOf(error)})`);
      if (error instanceof FailedSync) this.#end(error);
      throw cannotStore(undefined, error);
    }
    // What was under way when a move began may have come too late for it, and is not acknowledged.
    if (isStanding(this.directory)) throw standing();
  }

  /** Does what is needed on a full disk as well. Throws what the disk throws. */
  async withReserve(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isFull(error)) throw error;
      await this.reserve.spend(work);
    }
  }

  /** Throws `cannot_store` after a failed fsync. */
  assertWhole(): void {
    if (this.#broken) throw cannotStore();
  }

  #end(error: FailedSync): void {
    this.#broken = true;
    this.log("storage: fsync failed, so what is on the disk is not certain; the process ends now");
    try {
      this.#onFatal(error);
    } catch {
      // Only a test's onFatal returns; every later write is refused.
    }
  }

  onChange(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells the listeners. One that throws neither undoes the write nor keeps it from the others. */
  announce(name: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(name);
      } catch (error) {
        this.log(`storage: a listener failed after a write of ${name} (${reasonOf(error)})`);
      }
    }
  }
}

/** For the log: the error's code, or its message. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return codeOf(error) ?? codeOf(cause) ?? (error instanceof Error ? error.message : "unknown");
}
