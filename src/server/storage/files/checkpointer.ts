/**
 * Writes the journal's changes to the files, so that the journal can restart: some seconds after the last change, when
 * it gets long, before an erasure is confirmed, and on stop.
 */
import { type PendingWrite, type DataFolder, errorReason } from "./dataFolder.ts";
import type { CommitLog } from "./commits.ts";
import { MINUTE } from "../../shared/time.ts";

/** A document or a list. */
interface Checkpointed {
  /** Its files are complete. */
  readonly isWritten: boolean;
  /** The content to write, as of the change `seq`. */
  capture(seq: number): PendingWrite;
}

/** After the last change, in milliseconds. */
const CHECKPOINT_DELAY_MS = 3000;
/** After the first unwritten change, in milliseconds. */
const MAX_CHECKPOINT_DELAY_MS = 30_000;
/** Longer journals, in bytes, are written immediately: starts have to read them. */
const MAX_JOURNAL_BYTES = 4 * 1024 * 1024;
/** After a failure, in milliseconds. */
const RETRY_DELAY_MS = MINUTE;

interface CheckpointContext {
  readonly folder: DataFolder;
  readonly commits: CommitLog;
  readonly all: () => Iterable<Checkpointed>;
}

export class Checkpointer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwrittenSince: number | undefined;
  #notBefore = 0;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isClosed = false;

  constructor(readonly context: CheckpointContext) {}

  /** Call after each change. */
  schedule(): void {
    const runNow = performance.now();
    this.#unwrittenSince ??= runNow;
    if (this.#isClosed) return;
    const isLong = this.context.commits.journal.size > MAX_JOURNAL_BYTES;
    const rest = isLong
      ? 0
      : Math.min(CHECKPOINT_DELAY_MS, this.#unwrittenSince + MAX_CHECKPOINT_DELAY_MS - runNow);
    const wait = Math.max(rest, this.#notBefore - runNow);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.runNow().catch(() => {}), Math.max(0, wait)).unref();
  }

  /** Resolves once the files have everything stored so far. Throws `cannot_store`. */
  runNow(): Promise<void> {
    // One under way may have started earlier.
    return (this.#next ??= this.#runInTurn(() => {
      this.#next = undefined;
      return this.#write();
    }));
  }

  /** Runs `work` while the files are complete and don't change; `before` runs before they are. Throws `cannot_store`. */
  whilePaused<R>(work: () => Promise<R>, before = () => {}): Promise<R> {
    return this.#runInTurn(async () => {
      before();
      await this.#write();
      return work();
    });
  }

  #runInTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#unwrittenSince = undefined;
    try {
      await this.#writeAll();
    } catch (error) {
      this.#notBefore = performance.now() + RETRY_DELAY_MS;
      this.context.folder.log(
        `storage: the checkpoint failed (${errorReason(error)}); no data is lost, and it will be retried`,
      );
      this.schedule();
      throw error;
    }
  }

  async #writeAll(): Promise<void> {
    const { folder, commits, all } = this.context;
    const { journal } = commits;
    const runInTurn = (work: () => Promise<void>) =>
      commits.runExclusively(() => folder.write("the journal", work, true));
    if (!journal.hasObsolete && [...all()].every(({ isWritten }) => isWritten)) return;
    await folder.write("the journal", () => journal.prepare(), true);
    const captured: PendingWrite[] = [];
    let seq = 0;
    try {
      await runInTurn(async () => {
        await journal.rotate();
        seq = journal.seq;
        for (const each of all()) if (!each.isWritten) captured.push(each.capture(seq));
      });
      for (let next = captured[0]; next; captured.shift(), next = captured[0]) await next.write();
      await runInTurn(() => journal.removeObsolete(seq));
    } catch (error) {
      for (const each of captured) each.discard();
      throw error;
    }
  }

  /** Stops automatic writes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#last;
  }
}
