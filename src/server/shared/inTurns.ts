/** Work on many things, a few of them at a time: requests to a store, files on a disk. */
import pLimit from "p-limit";

const AT_ONCE = 6;

/** What has begun is over when it rejects with the first failure; the rest is not begun then. */
export async function inTurns<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit({ concurrency: AT_ONCE, rejectOnClear: true });
  const stopping = (error: unknown) => {
    limit.clearQueue();
    throw error;
  };
  const outcomes = await Promise.allSettled(
    items.map((item) => limit(() => work(item).catch(stopping))),
  );
  // Those that were not begun come after it.
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}
