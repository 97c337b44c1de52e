/** A pause between two of many segments: for other work, and for what was read to be collected. */

const SEGMENTS_PER_COLLECTION = 128;

/**
 * The runtime sees the bytes of files too late to collect them by itself, so a long run over
 * segments asks for it; each time takes some 40 ms with 100,000 records in memory.
 */
export async function giveWay(read: number): Promise<void> {
  if (read % SEGMENTS_PER_COLLECTION === 0) Bun.gc(true);
  await new Promise((resolve) => setImmediate(resolve));
}
