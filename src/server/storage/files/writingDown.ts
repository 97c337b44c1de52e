/**
 * Writes down to the files what the journal holds, so that the journal can begin anew: some seconds after the last change, when
 * it has grown long, before an erasure is answered, and at a stop.
 */
import { reasonOf, type DataFolder } from "./dataFolder.ts";
import type { Commits } from "./commits.ts";
import { MINUTE } from "../../shared/time.ts";

/** A document or a list. */
interface WrittenDown {
  /** Its files hold all of it. */
  readonly isWritten: boolean;
  /** What is to be written, as it is at the change `seq`. */
  capture(seq: number): Captured;
}

/** What is to be written down of one document or list. */
export interface Captured {
  /** Resolves once it is. Throws `cannot_store`. */
  write(): Promise<void>;
  /** To be called where it isn't: it is to be written the next time. */
  giveUp(): void;
}

/** After the last change, in milliseconds. */
const REST_MS = 3000;
/** After the first one that is not written down, in milliseconds. */
const LATEST_MS = 30_000;
/** A longer journal, in bytes, is written down at once: a start has to read it. */
const LONGEST = 4 * 1024 * 1024;
/** After one that failed, in milliseconds. */
const AGAIN_MS = MINUTE;

interface WritingContext {
  readonly folder: DataFolder;
  readonly commits: Commits;
  readonly all: () => Iterable<WrittenDown>;
}

export class WritingDown {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since: number | undefined;
  #notBefore = 0;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isClosed = false;

  constructor(readonly context: WritingContext) {}

  /** To be called after each change. */
  soon(): void {
    const now = performance.now();
    this.#since ??= now;
    if (this.#isClosed) return;
    const isLong = this.context.commits.journal.size > LONGEST;
    const rest = isLong ? 0 : Math.min(REST_MS, this.#since + LATEST_MS - now);
    const wait = Math.max(rest, this.#notBefore - now);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.now().catch(() => {}), Math.max(0, wait)).unref();
  }

  /** Resolves once the files hold everything that is stored now. Throws `cannot_store`. */
  now(): Promise<void> {
    // One that is under way may have begun before.
    return (this.#next ??= this.#inTurn(() => {
      this.#next = undefined;
      return this.#write();
    }));
  }

  /** Does `work` while the files hold all that was stored before it, and stay as they are. Throws `cannot_store`. */
  still<R>(work: () => Promise<R>): Promise<R> {
    return this.#inTurn(async () => {
      await this.#write();
      return work();
    });
  }

  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#since = undefined;
    try {
      await this.#writeAll();
    } catch (error) {
      this.#notBefore = performance.now() + AGAIN_MS;
      this.context.folder.log(
        `storage: the journal couldn't be written down (${reasonOf(error)}); nothing is lost, it is tried again`,
      );
      this.soon();
      throw error;
    }
  }

  async #writeAll(): Promise<void> {
    const { folder, commits, all } = this.context;
    const { journal } = commits;
    const inTurn = (work: () => Promise<void>) =>
      commits.alone(() => folder.write("the journal", work, true));
    if ([...all()].every(({ isWritten }) => isWritten)) return;
    await folder.write("the journal", () => journal.prepare(), true);
    const captured: Captured[] = [];
    let seq = 0;
    try {
      await inTurn(async () => {
        await journal.goOn();
        seq = journal.seq;
        for (const each of all()) if (!each.isWritten) captured.push(each.capture(seq));
      });
      for (let next = captured[0]; next; captured.shift(), next = captured[0]) await next.write();
      await inTurn(() => journal.settle(seq));
    } catch (error) {
      for (const each of captured) each.giveUp();
      throw error;
    }
  }

  /** No more by itself. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#last;
  }
}
