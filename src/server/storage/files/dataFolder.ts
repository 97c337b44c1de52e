/** The opened data folder: where it is, its disk, its log, and what happens when a write fails. */
import { ChangeListeners } from "../changeListeners.ts";
import { cannotStore } from "../../shared/errors.ts";
import { codeOf, type Disk, FailedSync } from "../disk/disk.ts";
import { isFull, Reserve } from "../disk/reserve.ts";
import { isStanding, standing } from "../standstill.ts";

export interface FolderOptions {
  directory: string;
  disk: Disk;
  log: (line: string) => void;
  onFatal: (error: Error) => never;
  /** Is told of each file or copy that is damaged or missing, and made good. With it a start compares all copies. */
  onDamage?: OnDamage | undefined;
}

type OnDamage = (path: string, damage: unknown) => void;

export class DataFolder {
  readonly directory: string;
  readonly disk: Disk;
  readonly log: (line: string) => void;
  readonly reserve: Reserve;
  /** The logs that an earlier release has left (see earlierLines.ts), until their files hold what they say. */
  readonly lines = new Set<string>();
  /** Files without a checksum are taken: true until all files of an earlier release have got one. */
  takesUnsealed = true;
  /** How many files of an earlier release got a checksum since the start. */
  sealings = 0;
  readonly onDamage: OnDamage | undefined;
  readonly #onFatal: (error: Error) => never;
  /** Who is told of what is stored. */
  readonly listeners: ChangeListeners;
  #broken = false;

  constructor(options: FolderOptions) {
    this.directory = options.directory;
    this.disk = options.disk;
    this.log = options.log;
    this.listeners = new ChangeListeners(options.log);
    this.reserve = new Reserve(options.disk, options.directory);
    this.onDamage = options.onDamage;
    this.#onFatal = options.onFatal;
  }

  /** Whether an earlier release has left lines that follow a file. */
  hasLines(path: string): boolean {
    return this.lines.size > 0 && logsOf(path).some((log) => this.lines.has(log));
  }

  /** Whether the site is being moved, and takes no writes. */
  get isStanding(): boolean {
    return isStanding(this.directory);
  }

  /**
   * Runs one write; any failure becomes `cannot_store`, so does a site that is being moved, and a failed fsync ends the
   * process. A write that its owner needs on a full disk as well may spend the reserve.
   */
  async write(what: string, work: () => Promise<void>, maySpendReserve = false): Promise<void> {
    this.assertWhole();
    if (this.isStanding) throw standing();
    try {
      await (maySpendReserve ? this.withReserve(work) : work());
      this.reserve.grow();
    } catch (error) {
      this.log(`storage: writing ${what} failed (${reasonOf(error)})`);
      if (error instanceof FailedSync) this.#end(error);
      throw cannotStore(undefined, error);
    }
    // What was under way when a move began may have come too late for it, and is not acknowledged.
    if (this.isStanding) throw standing();
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
}

/** For the log: the error's code, or its message. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return codeOf(error) ?? codeOf(cause) ?? (error instanceof Error ? error.message : "unknown");
}

/** The log of a file, or of its copy, and the copy of that. */
export const logsOf = (path: string) => {
  const log = path.replace(/\.json(\.bak)?$/, ".jsonl");
  return [log, `${log}.bak`] as const;
};

/** Whether a name is that of such a log or its copy, or of a journal. */
export const isLog = (name: string): boolean => /^[\w-]+\.jsonl(\.bak)?$/.test(name);
