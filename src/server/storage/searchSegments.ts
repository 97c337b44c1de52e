/** One page of the records that hold a text: found in memory, and only those of the page are read. */
import type { Selection } from "./segmentIndex.ts";
import type { Segments } from "./segments.ts";
import type { Page } from "./store.ts";
import { matcherOf } from "./where.ts";

/** Which records are meant, and from which end. */
export type Order<K> = Omit<Selection<K>, "offset" | "limit">;

const AT_ONCE = 64;

/** `search` in lower case. All segments have been read. Throws `cannot_store`. */
export async function searchSegments<T extends { id: string }, K>(
  segments: Segments<T, K>,
  search: string,
  selection: Selection<K>,
): Promise<Page<T>> {
  const { offset, limit } = selection;
  const items: T[] = [];
  let total = 0;
  // Stands between texts, and in none.
  if (search.includes("\0")) return { items, total };
  const sought = Buffer.from(search);
  let looked = 0;
  for (const { segment } of segments.index.inOrder(selection)) {
    const found = await findIn(segments, segment, sought, selection);
    const wanted = found.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total));
    total += found.length;
    if (wanted.length > 0) {
      const records = await segments.parsed.records(segment);
      items.push(...wanted.flatMap((at) => records[at] ?? []));
    }
    if (++looked % AT_ONCE === 0) await anotherTurn();
  }
  return { items, total };
}

/** For other work. */
export const anotherTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The positions of a segment's records that hold what is sought and are meant, in the order asked for. */
async function findIn<T extends { id: string }, K>(
  { texts, parsed, spec, index }: Segments<T, K>,
  segment: number,
  sought: Buffer,
  { where, newestFirst }: Order<K>,
): Promise<number[]> {
  const isMeant = matcherOf(where);
  const records = texts.holds(segment) ? undefined : await parsed.recordsOnce(segment);
  if (records && texts.hasRoom) texts.hold(segment, records);
  const keyAt = (at: number) => (records ? spec.key(records[at]!) : index.keysOf(segment)![at]!);
  const found = records ? texts.findIn(records, sought) : texts.find(segment, sought);
  const meant = where ? found.filter((at) => isMeant(keyAt(at))) : found;
  return newestFirst ? meant.toReversed() : meant;
}
