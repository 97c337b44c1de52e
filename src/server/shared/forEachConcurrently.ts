/** Work on many items, a few at a time: requests to a store, files on a disk. */
import pLimit from "p-limit";

const MAX_CONCURRENCY = 6;

/** Rejects with the first failure, after the work in progress has ended; the remaining items aren't started. */
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
  // Items that were never started are rejected after it.
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}
