/** Runs asynchronous work with a limit on parallel items or on time. */

const MAX_CONCURRENCY = 6;

/** Runs `work` on many items, six at a time. After a failure, starts no more items, and rejects once all have ended. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  // A throwing loop closes the iterator helper (`map`), which ends all loops. An array's iterator would stay open.
  const remaining = items.values().map((item) => item);
  const runWorker = async () => {
    for (const item of remaining) await work(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: MAX_CONCURRENCY }, runWorker));
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) throw failure.reason;
}

/** Awaits `work`. Rejects with the error of `createError` after `ms` milliseconds, without canceling `work`. */
export async function withTimeout<T>(
  work: PromiseLike<T> | T,
  ms: number,
  createError: () => Error,
): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(createError()), ms);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
