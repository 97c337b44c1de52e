/** The bin: what the owner has just deleted, in memory only, so that a slip can be undone. */

/** How long a deletion can be undone, in milliseconds. */
export const UNDO_MS = 10 * 60 * 1000;

/** Time for a bin, so that tests need not wait for it. */
export interface BinTime {
  /** In milliseconds since 1970. */
  now(): number;
  /** Calls back after `ms`; keeps no process alive. */
  after(ms: number, then: () => void): void;
}

export interface BinOptions<T> {
  /** Default: the system's. */
  readonly time?: Partial<BinTime>;
  /** The oldest goes when there are more. Default: no bound. */
  readonly most?: number;
  /** Told of each record that can't be taken back any more, once. */
  readonly gone?: (record: T) => void;
}

interface Kept<T> {
  readonly record: T;
  readonly until: number;
}

/** Deleted records by id, each for ten minutes. */
export class Bin<T extends { id: string }> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #time: BinTime;
  readonly #most: number;
  readonly #gone: (record: T) => void;

  constructor({ time, most = Infinity, gone = () => {} }: BinOptions<T> = {}) {
    this.#time = { ...systemTime, ...time };
    this.#most = most;
    this.#gone = gone;
  }

  keep(record: T): void {
    const kept = { record, until: this.#time.now() + UNDO_MS };
    this.#kept.set(record.id, kept);
    // By itself and not by its id: another deletion of the same record has a time of its own.
    this.#time.after(UNDO_MS, () => this.#drop(kept));
    if (this.#kept.size > this.#most) this.#drop(this.#kept.values().next().value!);
  }

  /**
   * Calls `bringBack` with a record, once: nobody else gets it in the meantime, and it is kept on when that
   * fails, for what is left of its time. Undefined when there is none.
   */
  async take<R>(id: string, bringBack: (record: T) => Promise<R>): Promise<R | undefined> {
    const kept = this.#kept.get(id);
    if (kept && this.#isOver(kept)) this.#drop(kept);
    if (!kept || !this.#kept.delete(id)) return undefined;
    try {
      return await bringBack(kept.record);
    } catch (error) {
      this.#kept.set(id, kept);
      if (this.#isOver(kept)) this.#drop(kept);
      throw error;
    }
  }

  /** For a person's data that is erased: gone is gone. */
  forget(matches: (record: T) => boolean): void {
    for (const kept of this.#kept.values()) if (matches(kept.record)) this.#drop(kept);
  }

  #isOver({ until }: Kept<T>): boolean {
    return until <= this.#time.now();
  }

  #drop(kept: Kept<T>): void {
    const { id } = kept.record;
    if (this.#kept.get(id) !== kept) return;
    this.#kept.delete(id);
    this.#gone(kept.record);
  }
}

const systemTime: BinTime = {
  now: Date.now,
  after: (ms, then) => void setTimeout(then, ms).unref(),
};
