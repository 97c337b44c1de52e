/** Changes several entities at once, for users of the store. */
import type { Entity } from "../../schema/entities/entity.ts";
import { returning, throwing } from "./commitQueue.ts";
import type { ChangesOf, HandleOf, Transaction } from "./store.ts";

/**
 * Lets `work` change what `changesOf` returns, one call at a time. Calls that aren't awaited are included; a failed
 * call rejects the whole, even if `work` ignores it; later calls are refused.
 */
export async function runTransaction<R>(
  changesOf: (entity: Entity) => object,
  work: (transaction: Transaction) => Promise<R>,
): Promise<R> {
  const steps = new Steps();
  // Safe: an entity's changes have its types.
  const of = <E extends Entity>(entity: E) => steps.of(changesOf(entity)) as ChangesOf<HandleOf<E>>;
  return steps.all(() => work({ of }));
}

class Steps {
  #last: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  /** `target` with every call as a step. */
  of(target: object): object {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => this.#step(() => Reflect.apply(member, target, args));
      },
    });
  }

  /** Throws a step's error in preference to that of `work`. */
  async all<R>(work: () => Promise<R>): Promise<R> {
    const outcome = await work().then(returning, throwing);
    for (let last: unknown; last !== this.#last; await last) last = this.#last;
    this.#isOver = true;
    if (this.#failure) throw this.#failure.error;
    return outcome() as R;
  }

  #step(work: () => unknown): Promise<unknown> {
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
