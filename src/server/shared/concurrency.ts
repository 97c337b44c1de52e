/** Runs asynchronous work: a few items at a time, or within a time limit. */

const MAX_CONCURRENCY = 6;

/**
 * Runs `work` on many items, a few at a time, such as requests to a store or files on a disk. After a failure, starts
 * no further items, and rejects once the work in progress has ended.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  // When one loop throws, it closes an iterator helper (`map`), so the other loops end too. An array's own iterator
  // would continue.
  const remaining = items.values().map((item) => item);
  const runWorker = async () => {
    for (const item of remaining) await work(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: MAX_CONCURRENCY }, runWorker));
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) throw failure.reason;
}

/** Rejects with the error of `createError` if `work` takes longer than `ms`. Doesn't cancel `work`. */
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
