/** Several entities changed at once, by whoever uses the store. */
import type { Entity } from "../../schema/entity.ts";
import { returning, throwing } from "./commitQueue.ts";
import type { ChangesOf, HandleOf, Transaction } from "./store.ts";

/**
 * Has `work` change what `changesOf` returns, one call after the other. What is asked for and not awaited is part of it;
 * what fails rejects the whole, also where `work` passes over that; what comes later is refused.
 */
export async function runTransaction<R>(
  changesOf: (entity: Entity) => object,
  work: (transaction: Transaction) => Promise<R>,
): Promise<R> {
  const steps = new Steps();
  // Safe: what an entity is changed through is of its types.
  const of = <E extends Entity>(entity: E) => steps.of(changesOf(entity)) as ChangesOf<HandleOf<E>>;
  return steps.all(() => work({ of }));
}

class Steps {
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  /** `target`, whose every call is a step. */
  of(target: object): object {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => this.#step(() => Reflect.apply(member, target, given));
      },
    });
  }

  /** Throws what one of the steps threw before what `work` threw. */
  async all<R>(work: () => Promise<R>): Promise<R> {
    const outcome = await work().then(returning, throwing);
    for (let last: unknown; last !== this.#last; await last) last = this.#last;
    this.#isOver = true;
    if (this.#failure) throw this.#failure.error;
    return outcome() as R;
  }

  #step(work: () => unknown): Promise<unknown> {
    if (this.#isOver) return Promise.reject(new Error("The transaction is over."));
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
