/** The queue of a store's changes. Changes that arrive during a commit share the next commit. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { cannotStore } from "../shared/errors.ts";

/** Returns a change's result, or throws its error. */
export type CommitOutcome = () => unknown;

export const createResultOutcome =
  (result: unknown): CommitOutcome =>
  () =>
    result;

export const createErrorOutcome =
  (error: unknown): CommitOutcome =>
  () => {
    throw error;
  };

interface WaitingChange<C> {
  readonly change: C;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type ExclusiveWork = () => Promise<void>;

export class CommitQueue<C> {
  readonly #queue: (WaitingChange<C> | ExclusiveWork)[] = [];
  #activeRun: Promise<void> | undefined;
  #isClosed = false;

  /** `commit` returns an outcome for each change, or throws if no change was stored. */
  constructor(
    readonly maxChangesPerCommit: number,
    readonly commit: (changes: readonly C[]) => Promise<readonly CommitOutcome[]>,
  ) {}

  get size(): number {
    return this.#queue.length;
  }

  /** Stores a change and resolves with its result. Throws `cannot_store`, and what the change's outcome throws. */
  run<R>(change: C): Promise<R> {
    if (this.#isClosed) return Promise.reject(cannotStore());
    return new Promise<R>((resolve, reject) => {
      this.#add({ change, resolve: resolve as (result: unknown) => void, reject });
    });
  }

  /** Runs `work` after the commits of all earlier changes; no commit runs at the same time. */
  runExclusively<R>(work: () => Promise<R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#add(() => work().then(resolve, reject));
    });
  }

  /** Stops accepting changes. Resolves once all accepted changes are stored or rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#activeRun;
  }

  #add(entry: WaitingChange<C> | ExclusiveWork): void {
    this.#queue.push(entry);
    this.#activeRun ??= this.#processQueue();
  }

  async #processQueue(): Promise<void> {
    // Waits a microtask so that all changes made in the same tick share the first commit.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const changes = this.#dequeueChanges();
      if (changes.length > 0) await this.#store(changes);
      else await (this.#queue.shift() as ExclusiveWork)();
    }
    this.#activeRun = undefined;
  }

  #dequeueChanges(): WaitingChange<C>[] {
    const end = this.#queue.findIndex((each) => typeof each === "function");
    const count = Math.min(this.maxChangesPerCommit, end === -1 ? this.#queue.length : end);
    return this.#queue.splice(0, count) as WaitingChange<C>[];
  }

  async #store(waitingChanges: readonly WaitingChange<C>[]): Promise<void> {
    try {
      const outcomes = await this.commit(waitingChanges.map(({ change }) => change));
      for (const [index, each] of waitingChanges.entries())
        settleChange(each, assertDefined(outcomes[index], "outcome"));
    } catch (error) {
      for (const { reject } of waitingChanges) reject(error);
    }
  }
}

function settleChange({ resolve, reject }: WaitingChange<unknown>, outcome: CommitOutcome): void {
  try {
    resolve(outcome());
  } catch (error) {
    reject(error);
  }
}

/** Listeners that are called with the entity's name after each stored write. */
export class ChangeListeners {
  readonly #listeners = new Set<(name: string) => void>();

  constructor(readonly log: (line: string) => void) {}

  add(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls all listeners. An error is logged, and stops neither the write nor the other listeners. */
  notifyAll(name: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(name);
      } catch (error) {
        this.log(`storage: a listener failed after a write of ${name} (${String(error)})`);
      }
    }
  }
}
