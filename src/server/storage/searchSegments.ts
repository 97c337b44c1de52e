/** One page of the records that hold a text: found in memory, and only those of the page are read. */
import type { Selection } from "./segmentIndex.ts";
import type { Segments } from "./segments.ts";
import type { Page } from "./store.ts";
import { matcherOf } from "./where.ts";

/** Which records are meant, and from which end. */
export type Order<K> = Omit<Selection<K>, "offset" | "limit">;

const AT_ONCE = 64;

/** `search` in lower case. Throws `cannot_store`. */
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
    const found = await findIn(segments, segment, { search, sought }, selection);
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
  segments: Segments<T, K>,
  segment: number,
  { search, sought }: Sought,
  { where, newestFirst }: Order<K>,
): Promise<number[]> {
  const { texts, parsed, spec, index } = segments;
  const isMeant = matcherOf(where);
  const isRead = index.isRead(segment);
  const hasRoom = isRead && texts.hasRoom;
  if (!texts.holds(segment) && !parsed.holds(segment) && !hasRoom) {
    const text = await parsed.text(segment);
    if (text && !mayHold(text, search)) return [];
    // Its copy may be whole, which reading all finds out.
    if (text === undefined && !isRead) await segments.complete();
  }
  const records = texts.holds(segment) ? undefined : await parsed.recordsOnce(segment);
  if (records && hasRoom) texts.hold(segment, records);
  const keyAt = (at: number) => (records ? spec.key(records[at]!) : index.keysOf(segment)![at]!);
  const found = records ? texts.findIn(records, sought) : texts.find(segment, sought);
  const meant = where ? found.filter((at) => isMeant(keyAt(at))) : found;
  return newestFirst ? meant.toReversed() : meant;
}

/** What is looked for, in lower case: as it stands in a text, and in the bytes of one. */
interface Sought {
  readonly search: string;
  readonly sought: Buffer;
}

/**
 * Whether some text in a file may hold what is looked for: the names of its fields may as well. Where
 * the small form of a letter depends on those beside it, which JSON changes, all may.
 */
function mayHold(file: string, search: string): boolean {
  if (!search.isWellFormed() || /[σς]/.test(search)) return true;
  return file.toLowerCase().includes(JSON.stringify(search).slice(1, -1));
}
