/** What the owner just deleted, in memory only, so that a slip can be undone. */

/** How long a deletion can be undone. */
export const UNDO_MS = 10 * 60 * 1000;
const MOST_KEPT = 100;

/** Records by id; each is forgotten after ten minutes, and the oldest when there are too many. */
export class Bin<T extends { id: string }> {
  readonly #kept = new Map<string, { record: T; until: number }>();

  constructor(readonly now: () => number = Date.now) {}

  keep(record: T): void {
    this.#forgetOld();
    this.#kept.set(record.id, { record, until: this.now() + UNDO_MS });
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
  }

  /**
   * Gives a record to `bringBack`, once: nobody else gets it meanwhile, and it is kept on when that
   * fails. Undefined when there is none.
   */
  async take<R>(id: string, bringBack: (record: T) => Promise<R>): Promise<R | undefined> {
    this.#forgetOld();
    const kept = this.#kept.get(id);
    if (!kept) return undefined;
    this.#kept.delete(id);
    try {
      return await bringBack(kept.record);
    } catch (error) {
      this.#kept.set(id, kept);
      throw error;
    }
  }

  /** For a person's data that is erased: gone is gone. */
  forget(matches: (record: T) => boolean): void {
    for (const [id, { record }] of this.#kept) if (matches(record)) this.#kept.delete(id);
  }

  #forgetOld(): void {
    for (const [id, { until }] of this.#kept) if (until <= this.now()) this.#kept.delete(id);
  }
}
