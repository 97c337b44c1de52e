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

export class Batches<C> {
  readonly #queue: Waiting<C>[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  /** `commit` returns an outcome for each change once they are stored, or throws for all. */
  constructor(readonly commit: (changes: readonly C[]) => Promise<readonly Outcome[]>) {}

  /** Resolves with the change's result once it is stored. */
  run<R>(change: C): Promise<R> {
    if (this.#isClosed) return Promise.reject(cannotStore());
    return new Promise<R>((resolve, reject) => {
      this.#queue.push({ change, resolve: resolve as (result: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Takes no more changes; resolves when those taken are settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Callers of the same moment share even the first transaction.
    await Promise.resolve();
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    while (this.#queue.length > 0) await this.#store(this.#queue.splice(0, MOST));
    this.#running = undefined;
  }

  async #store(batch: readonly Waiting<C>[]): Promise<void> {
    try {
      const outcomes = await this.commit(batch.map(({ change }) => change));
      for (const [at, waiting] of batch.entries()) settle(waiting, outcomes[at]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

function settle({ resolve, reject }: Waiting<unknown>, outcome: Outcome | undefined): void {
  try {
    resolve(outcome?.());
  } catch (error) {
    reject(error);
  }
}
