/** One page of the records that hold certain words, which only reading them can tell. */
import type { Page, PageRequest, Records } from "./store.ts";

/**
 * As `records.page`, newest first, for what `matches` as well. Reads all that fit `where`, giving way
 * to other work between segments.
 */
export async function searchPage<T extends { id: string }, K>(
  records: Records<T, K>,
  matches: (record: T) => boolean,
  { where, offset, limit }: PageRequest<K>,
): Promise<Page<T>> {
  const items: T[] = [];
  let total = 0;
  for await (const record of records.scan({ newestFirst: true, ...(where && { where }) })) {
    if (!matches(record)) continue;
    if (total >= offset && items.length < limit) items.push(record);
    total++;
  }
  return { items, total };
}
