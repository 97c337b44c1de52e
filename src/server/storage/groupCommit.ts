/** Changes that arrive while a write is under way share the next one, and each gets its own outcome. */
import { cannotStore } from "../shared/errors.ts";

/** One caller's change to what is being staged. */
export interface Change<S, R> {
  /** Whether it can share the write of this stage. */
  joins(stage: S): boolean;
  /** Changes the stage and returns the caller's result; a throw leaves the stage as it was. */
  apply(stage: S): R;
}

export interface CommitSteps<S, C> {
  /** The state the next write starts from, for the first change that takes part. */
  begin(first: C): S | Promise<S>;
  /** Writes what was staged; only called when the stage is dirty. */
  commit(stage: S): Promise<void>;
}

interface Waiting<C> {
  change: C;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export class GroupCommit<S extends { dirty: boolean }, C extends Change<S, unknown>> {
  readonly #queue: Waiting<C>[] = [];
  readonly #steps: CommitSteps<S, C>;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(steps: CommitSteps<S, C>) {
    this.#steps = steps;
  }

  /** Resolves with the change's result once it is on the disk. */
  run<R>(change: C & Change<S, R>): Promise<R> {
    if (this.#closed) return Promise.reject(cannotStore());
    return new Promise<R>((resolve, reject) => {
      this.#queue.push({ change, resolve: resolve as (result: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Takes no more changes; resolves when those taken are settled. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Lets callers of the same moment share even the first write.
    await Promise.resolve();
    while (this.#queue[0]) await this.#commitNext(this.#queue[0]);
    this.#running = undefined;
  }

  async #commitNext(first: Waiting<C>): Promise<void> {
    let stage: S;
    try {
      stage = await this.#steps.begin(first.change);
    } catch (error) {
      this.#queue.shift();
      return first.reject(error);
    }
    const outcomes = this.#stageAll(stage);
    try {
      if (stage.dirty) await this.#steps.commit(stage);
      for (const outcome of outcomes) outcome.settle();
    } catch (error) {
      for (const outcome of outcomes) outcome.fail(error);
    }
  }

  #stageAll(stage: S): Outcome[] {
    const outcomes: Outcome[] = [];
    let waiting = this.#queue.shift();
    while (waiting) {
      outcomes.push(stageOne(waiting, stage));
      waiting = this.#takeOneFor(stage);
    }
    return outcomes;
  }

  #takeOneFor(stage: S): Waiting<C> | undefined {
    return this.#queue[0]?.change.joins(stage) ? this.#queue.shift() : undefined;
  }
}

interface Outcome {
  settle(): void;
  /** The write failed. Callers whose change had no part in it still get their own result. */
  fail(error: unknown): void;
}

function stageOne<S extends { dirty: boolean }>(
  { change, resolve, reject }: Waiting<Change<S, unknown>>,
  stage: S,
): Outcome {
  let settle: () => void;
  try {
    const result = change.apply(stage);
    settle = () => resolve(result);
  } catch (error) {
    settle = () => reject(error);
  }
  return { settle, fail: stage.dirty ? reject : settle };
}
