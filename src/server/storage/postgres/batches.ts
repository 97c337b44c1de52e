/** Changes, or questions, that arrive while a transaction is under way share the next one, and each gets its own outcome. */
import { cannotStore } from "../../shared/errors.ts";

/** What a change came to: returns its result, or throws. */
export type Outcome = () => unknown;

interface Waiting<C> {
  readonly change: C;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** So many share one transaction at most. */
const MOST = 500;
/** So many transactions are under way at once, where their order doesn't matter: others are made ready meanwhile. */
const AT_ONCE = 3;

export interface BatchesOptions<C> {
  /** Returns an outcome for each change once they are stored, or throws for all. */
  readonly commit: (changes: readonly C[]) => Promise<readonly Outcome[]>;
  /** Whether it makes no difference to a change which others are stored first. Default: none is so. */
  readonly isFree?: (change: C) => boolean;
}

export class Batches<C> {
  readonly #queue: Waiting<C>[] = [];
  readonly #commit: BatchesOptions<C>["commit"];
  readonly #isFree: (change: C) => boolean;
  /** The transactions under way, and whether all changes of each are free. */
  readonly #underWay = new Map<Promise<void>, boolean>();
  #isStarting = false;
  #isClosed = false;

  constructor({ commit, isFree = () => false }: BatchesOptions<C>) {
    this.#commit = commit;
    this.#isFree = isFree;
  }

  /** Resolves with the change's result once it is stored. */
  run<R>(change: C): Promise<R> {
    if (this.#isClosed) return Promise.reject(cannotStore());
    return new Promise<R>((resolve, reject) => {
      this.#queue.push({ change, resolve: resolve as (result: unknown) => void, reject });
      this.#startSoon();
    });
  }

  /** Takes no more changes; resolves when those taken are settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // oxlint-disable-next-line no-await-in-loop -- each makes room for the next
    while (this.#underWay.size > 0 || this.#queue.length > 0) await this.#next();
  }

  async #next(): Promise<void> {
    await (this.#underWay.size > 0 ? Promise.race(this.#underWay.keys()) : undefined);
  }

  /** Callers of the same moment share even the first transaction. */
  #startSoon(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      if (this.#queue.length > 0) this.#start();
    });
  }

  #start(): void {
    const isFree = this.#queue.slice(0, MOST).every(({ change }) => this.#isFree(change));
    const mayOverlap = isFree && [...this.#underWay.values()].every(Boolean);
    if (this.#underWay.size >= (mayOverlap ? AT_ONCE : 1)) return;
    const stored = this.#store(this.#queue.splice(0, MOST)).finally(() => {
      this.#underWay.delete(stored);
      this.#startSoon();
    });
    this.#underWay.set(stored, isFree);
    // More than fit into one.
    this.#startSoon();
  }

  async #store(batch: readonly Waiting<C>[]): Promise<void> {
    try {
      const outcomes = await this.#commit(batch.map(({ change }) => change));
      for (const [at, { resolve, reject }] of batch.entries())
        settle(outcomes[at]!, resolve, reject);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

function settle(
  outcome: Outcome,
  resolve: (result: unknown) => void,
  reject: (error: unknown) => void,
): void {
  try {
    resolve(outcome());
  } catch (error) {
    reject(error);
  }
}
