/** A store's queue: changes that arrive during a commit share the next one, and each gets its own outcome. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { cannotStore } from "../shared/errors.ts";

/** The outcome of a change: returns its result, or throws. */
export type Outcome = () => unknown;

export const returning =
  (result: unknown): Outcome =>
  () =>
    result;

export const throwing =
  (error: unknown): Outcome =>
  () => {
    throw error;
  };

interface Waiting<C> {
  readonly change: C;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Work that doesn't share its turn. */
type Alone = () => Promise<void>;

export class CommitQueue<C> {
  readonly #queue: (Waiting<C> | Alone)[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  /** `commit` returns an outcome for each change once stored, or throws for all. `most`: the limit per commit. */
  constructor(
    readonly most: number,
    readonly commit: (changes: readonly C[]) => Promise<readonly Outcome[]>,
  ) {}

  /** The number of waiting changes. */
  get size(): number {
    return this.#queue.length;
  }

  /** Resolves with the change's result once stored. Throws `cannot_store`, and what its outcome throws. */
  run<R>(change: C): Promise<R> {
    if (this.#isClosed) return Promise.reject(cannotStore());
    return new Promise<R>((resolve, reject) => {
      this.#add({ change, resolve: resolve as (result: unknown) => void, reject });
    });
  }

  /** Runs `work` between commits, after earlier changes. */
  runExclusively<R>(work: () => Promise<R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#add(() => work().then(resolve, reject));
    });
  }

  /** Stops accepting changes; resolves once those accepted are settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  #add(entry: Waiting<C> | Alone): void {
    this.#queue.push(entry);
    this.#running ??= this.#drain();
  }

  /* oxlint-disable no-await-in-loop -- in sequence */
  async #drain(): Promise<void> {
    // Lets callers of the same tick share even the first commit.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const changes = this.#nextChanges();
      if (changes.length > 0) await this.#store(changes);
      else await (this.#queue.shift() as Alone)();
    }
    this.#running = undefined;
  }
  /* oxlint-enable no-await-in-loop */

  /** The front of the queue that shares a commit. */
  #nextChanges(): Waiting<C>[] {
    const end = this.#queue.findIndex((each) => typeof each === "function");
    const count = Math.min(this.most, end === -1 ? this.#queue.length : end);
    return this.#queue.splice(0, count) as Waiting<C>[];
  }

  async #store(waiting: readonly Waiting<C>[]): Promise<void> {
    try {
      const outcomes = await this.commit(waiting.map(({ change }) => change));
      for (const [at, each] of waiting.entries())
        settle(each, assertDefined(outcomes[at], "outcome"));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

function settle({ resolve, reject }: Waiting<unknown>, outcome: Outcome): void {
  try {
    resolve(outcome());
  } catch (error) {
    reject(error);
  }
}
