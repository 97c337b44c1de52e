/** Finds the handle of an entity in an open store, and runs transactions. */
import type { Entity } from "../../schema/entities/entity.ts";
import { createResultOutcome, createErrorOutcome } from "./commitQueue.ts";
import type { ChangesOf, HandleOf, Transaction } from "./store.ts";

/**
 * Runs `work` in one transaction. Calls of the objects that `getChanges` returns run one at a time, even those that
 * `work` doesn't await. A failed call rejects the whole transaction, even if `work` ignores the error.
 */
export async function runTransaction<R>(
  getChanges: (entity: Entity) => object,
  work: (transaction: Transaction) => Promise<R>,
): Promise<R> {
  let lastStep: Promise<unknown> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  const runStep = (call: () => unknown): Promise<unknown> => {
    if (isOver) return Promise.reject(new Error("The transaction has already ended."));
    const result = lastStep.then(() => {
      if (failure) throw failure.error;
      return call();
    });
    lastStep = result.catch((error: unknown) => {
      failure ??= { error };
    });
    return result;
  };
  const trackCalls = (target: object) =>
    new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => runStep(() => Reflect.apply(member, target, args));
      },
    });
  // The cast is safe, since the changes of an entity have its types.
  const of = <E extends Entity>(entity: E) =>
    trackCalls(getChanges(entity)) as ChangesOf<HandleOf<E>>;
  const outcome = await work({ of }).then(createResultOutcome, createErrorOutcome);
  for (let step: unknown; step !== lastStep; await step) step = lastStep;
  isOver = true;
  // If a call failed, its error is thrown, since it probably caused the error of `work`.
  if (failure) throw failure.error;
  return outcome() as R;
}

export function getHandle<H>(handles: ReadonlyMap<Entity, H>, entity: Entity): H {
  const handle = handles.get(entity);
  if (!handle) throw new Error(`The store was not opened with the entity "${entity.name}".`);
  return handle;
}
