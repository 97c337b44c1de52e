import pLimit from "p-limit";

const MAX_CONCURRENCY = 6;

/**
 * Runs `work` on many items, a few at a time, such as requests to a store or files on a disk. Rejects with the first
 * failure after the work in progress has ended. The remaining items aren't started.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit({ concurrency: MAX_CONCURRENCY, rejectOnClear: true });
  const stopping = (error: unknown) => {
    limit.clearQueue();
    throw error;
  };
  const outcomes = await Promise.allSettled(
    items.map((item) => limit(() => work(item).catch(stopping))),
  );
  // Items that were never started are rejected too, but only after the first real failure.
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}
