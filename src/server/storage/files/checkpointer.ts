/** Writes the journal's changes to the files, so that earlier journals can be removed. */
import pLimit from "p-limit";
import { type PendingWrite, type DataFolder, getErrorReason } from "./dataFolder.ts";
import type { Committer } from "./committer.ts";
import { MINUTE } from "../../shared/time.ts";

/** A document or list whose changes a checkpoint writes to files. */
interface Checkpointable {
  /** Whether the files have all changes. */
  readonly isWritten: boolean;
  /** Captures the content that the checkpoint writes. `seq` is the number of the last commit in the content. */
  captureContent(seq: number): PendingWrite;
}

/** The time from the last change to the checkpoint. */
const CHECKPOINT_DELAY_MS = 3000;
/** The maximum time from the first unwritten change to the checkpoint. */
const MAX_CHECKPOINT_DELAY_MS = 30_000;
/** A longer journal causes a checkpoint at once, because a start has to read the whole journal. */
const MAX_JOURNAL_BYTES = 4 * 1024 * 1024;
/** The time from a failed checkpoint to the next attempt. */
const RETRY_DELAY_MS = MINUTE;

const hasUnwrittenChanges = ({ isWritten }: Checkpointable) => !isWritten;

export class Checkpointer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstUnwrittenAt: number | undefined;
  #earliestRunAt = 0;
  readonly #limitToOne = pLimit(1);
  #nextCheckpoint: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    readonly folder: DataFolder,
    readonly committer: Committer,
    readonly checkpointables: ReadonlyMap<unknown, Checkpointable>,
  ) {}

  /** Schedules a checkpoint. Call after each change. */
  schedule(): void {
    const now = performance.now();
    this.#firstUnwrittenAt ??= now;
    if (this.#isClosed) return;
    const isJournalLong = this.committer.journal.length > MAX_JOURNAL_BYTES;
    const delay = isJournalLong
      ? 0
      : Math.min(CHECKPOINT_DELAY_MS, this.#firstUnwrittenAt + MAX_CHECKPOINT_DELAY_MS - now);
    const delayMs = Math.max(delay, this.#earliestRunAt - now);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void this.runNow().catch(() => {}),
      Math.max(0, delayMs),
    ).unref();
  }

  /** Runs a checkpoint. Resolves once the files have all changes stored so far. Throws `cannot_store`. */
  runNow(): Promise<void> {
    // Starts after a checkpoint that is in progress, because that checkpoint may lack the latest changes.
    return (this.#nextCheckpoint ??= this.#limitToOne(() => {
      this.#nextCheckpoint = undefined;
      return this.#runCheckpoint();
    }));
  }

  /** Runs `prepare`, then a checkpoint, then `work`, without another checkpoint in between. Throws `cannot_store`. */
  whilePaused<R>(prepare: () => void, work: () => Promise<R>): Promise<R> {
    return this.#limitToOne(async () => {
      prepare();
      await this.#runCheckpoint();
      return work();
    });
  }

  async #runCheckpoint(): Promise<void> {
    clearTimeout(this.#timer);
    this.#firstUnwrittenAt = undefined;
    try {
      await this.#writeCheckpoint();
    } catch (error) {
      this.#earliestRunAt = performance.now() + RETRY_DELAY_MS;
      this.folder.log(
        `storage: the checkpoint failed (${getErrorReason(error)}); no data is lost, and it will be retried`,
      );
      this.schedule();
      throw error;
    }
  }

  async #writeCheckpoint(): Promise<void> {
    const { folder, committer } = this;
    const { journal } = committer;
    const writeExclusively = (work: () => Promise<void>) =>
      committer.runExclusively(() => folder.write("the journal", work, true));
    const checkpointables = [...this.checkpointables.values()];
    if (!journal.hasObsoleteJournals && !checkpointables.some(hasUnwrittenChanges)) return;
    await folder.write("the journal", () => journal.prepareNext(), true);
    const capturedWrites: PendingWrite[] = [];
    let seq = 0;
    try {
      await writeExclusively(async () => {
        await journal.rotate();
        seq = journal.seq;
        capturedWrites.push(
          ...checkpointables
            .filter(hasUnwrittenChanges)
            .map((checkpointable) => checkpointable.captureContent(seq)),
        );
      });
      while (capturedWrites[0]) {
        await capturedWrites[0].write();
        capturedWrites.shift();
      }
      await writeExclusively(() => journal.removeObsoleteJournals(seq));
    } catch (error) {
      for (const write of capturedWrites) write.discard();
      throw error;
    }
  }

  /** Cancels the scheduled checkpoint. Resolves once a running checkpoint has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#limitToOne(() => undefined);
  }
}
