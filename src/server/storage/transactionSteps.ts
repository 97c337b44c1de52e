/** Runs transactions, which change several entities at once. */
import type { Entity } from "../../schema/entities/entity.ts";
import { returnOutcome, throwOutcome } from "./commitQueue.ts";
import type { ChangesOf, HandleOf, Transaction } from "./store.ts";

/**
 * Runs `work` with the entities from `changesOf`, one call at a time. Calls that `work` doesn't await are part of the
 * transaction. A failed call rejects the whole transaction, even if `work` ignores the error. Calls after the end are
 * refused.
 */
export async function runTransaction<R>(
  changesOf: (entity: Entity) => object,
  work: (transaction: Transaction) => Promise<R>,
): Promise<R> {
  const steps = new TransactionSteps();
  // Safe: an entity's changes have its types.
  const of = <E extends Entity>(entity: E) =>
    steps.trackCalls(changesOf(entity)) as ChangesOf<HandleOf<E>>;
  return steps.runAll(() => work({ of }));
}

class TransactionSteps {
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  /** Wraps `target` so that every method call runs as a step of the transaction. */
  trackCalls(target: object): object {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => this.#runStep(() => Reflect.apply(member, target, args));
      },
    });
  }

  /** Runs `work` and waits for all steps. If a step failed, throws the step's error rather than the error of `work`. */
  async runAll<R>(work: () => Promise<R>): Promise<R> {
    const outcome = await work().then(returnOutcome, throwOutcome);
    for (let last: unknown; last !== this.#last; await last) last = this.#last;
    this.#isOver = true;
    if (this.#failure) throw this.#failure.error;
    return outcome() as R;
  }

  #runStep(work: () => unknown): Promise<unknown> {
    if (this.#isOver) return Promise.reject(new Error("The transaction has already ended."));
    const done = this.#last.then(() => {
      if (this.#failure) throw this.#failure.error;
      return work();
    });
    this.#last = done.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    return done;
  }
}
