/**
 * What of all records stays in memory: which segment holds an id, the unique keys, the filter keys, and
 * how many there are of each kind. Of a segment that has not been read since the start only its outline
 * is known, which is enough for lists, counts and new records.
 */
import type { RecordsSpec } from "./entitySpecs.ts";
import { IdRanges } from "./idRanges.ts";
import type { Group, PageRequest } from "./store.ts";
import { matcherOf, termsOf, type Where } from "./where.ts";

/** What is known of a segment without reading it. */
export interface Outline<K> {
  /** Of its file. */
  readonly bytes: number;
  /** How many records it has of each kind. */
  readonly groups: readonly Group<K>[];
  /** The least and the greatest id; undefined when it is empty. */
  readonly ids: readonly [least: string, greatest: string] | undefined;
}

interface Segment<K> extends Outline<K> {
  readonly count: number;
  /** In the order of the file; undefined as long as it has not been read. */
  readonly read: Read<K> | undefined;
}

interface Read<K> {
  readonly ids: string[];
  readonly keys: K[];
  /** The same ids, once one of them was looked for. */
  lookup?: Set<string>;
}

/** So many of a segment's matches belong to a page, after passing over some. */
export interface Piece {
  readonly segment: number;
  readonly skip: number;
  readonly take: number;
}

/** What a page asks for, without a search. */
export type Selection<K> = Omit<PageRequest<K>, "search">;

export class SegmentIndex<T extends { id: string }, K> {
  /** Ascending. */
  readonly #segments = new Map<number, Segment<K>>();
  readonly #ranges = new IdRanges();
  readonly #byUnique = new Map<string, number>();
  /** Of all segments, by what `#kindOf` returns. */
  readonly #totals = new Map<string, { key: Partial<K>; count: number }>();
  /** The segment that takes the next record. */
  last = 0;
  /** Of the segments' files, without their copies. */
  bytes = 0;
  size = 0;

  constructor(readonly spec: RecordsSpec<T, K>) {}

  /** Takes over what is known of a segment without reading it. */
  know(segment: number, outline: Outline<K>): void {
    const count = outline.groups.reduce((sum, group) => sum + group.count, 0);
    this.#put(segment, { ...outline, count, read: undefined });
  }

  /** Takes over a segment's content; `before` is what it held according to the index. */
  replace(segment: number, before: readonly T[], after: readonly T[], bytes: number): void {
    const { key, unique } = this.spec;
    if (unique) {
      const kept = new Set(after);
      for (const record of before) if (!kept.has(record)) this.#byUnique.delete(unique(record));
      for (const record of after) this.#byUnique.set(unique(record), segment);
    }
    const known = this.#segments.get(segment)?.read;
    const ids = after.map((record) => record.id);
    // Nearly all records are those that were there before, if not at the same place.
    const keyOf = new Map<T, K>();
    if (known) for (const [at, record] of before.entries()) keyOf.set(record, known.keys[at]!);
    const keys = after.map((record) => keyOf.get(record) ?? key(record));
    const read = { ids, keys };
    this.#put(segment, { bytes, ...this.#outlineOf(read), count: ids.length, read });
  }

  /** Takes over records that were put behind those of a segment that has been read; `bytes` as of `replace`. */
  append(segment: number, added: readonly T[], bytes: number): void {
    const { key, unique } = this.spec;
    const known = this.#segments.get(segment)!;
    const read = known.read!;
    const ids = added.map((record) => record.id);
    const keys = added.map((record) => key(record));
    if (unique) for (const record of added) this.#byUnique.set(unique(record), segment);
    read.ids.push(...ids);
    read.keys.push(...keys);
    for (const id of ids) read.lookup?.add(id);
    const more = this.#outlineOf({ ids, keys });
    const groups = new Map(known.groups.map((group) => [this.#kindOf(group.key), { ...group }]));
    for (const group of more.groups)
      countIn(groups, this.#kindOf(group.key), () => group.key, group.count);
    const range = [...(known.ids ?? []), ...(more.ids ?? [])].toSorted();
    const outline = {
      bytes,
      groups: [...groups.values()],
      ids: [range[0]!, range.at(-1)!] as const,
    };
    this.#put(segment, { ...outline, count: read.ids.length, read });
  }

  /** A segment's file has another size, in bytes, with the same records. */
  resize(segment: number, bytes: number): void {
    this.#put(segment, { ...this.#segments.get(segment)!, bytes });
  }

  #outlineOf({ ids, keys }: Pick<Read<K>, "ids" | "keys">): Omit<Outline<K>, "bytes"> {
    const groups = new Map<string, { key: Partial<K>; count: number }>();
    for (const key of keys) countIn(groups, this.#kindOf(key), () => this.#facetsOf(key), 1);
    const [first] = ids;
    if (first === undefined) return { groups: [], ids: undefined };
    let [least, greatest] = [first, first];
    for (const id of ids) {
      if (id < least) least = id;
      if (id > greatest) greatest = id;
    }
    return { groups: [...groups.values()], ids: [least, greatest] };
  }

  #put(segment: number, next: Segment<K>): void {
    const before = this.#segments.get(segment);
    for (const [each, sign] of [
      [before, -1],
      [next, 1],
    ] as const) {
      this.bytes += sign * (each?.bytes ?? 0);
      this.size += sign * (each?.count ?? 0);
      for (const { key, count } of each?.groups ?? [])
        countIn(this.#totals, this.#kindOf(key), () => key, sign * count);
    }
    this.#segments.set(segment, next);
    this.#ranges.set(segment, next.ids);
    this.last = Math.max(this.last, segment);
  }

  #kindOf(key: Partial<K>): string {
    let kind = "";
    for (const facet of this.spec.facets) kind += `${JSON.stringify(key[facet])},`;
    return kind;
  }

  #facetsOf(key: K): Partial<K> {
    return Object.fromEntries(
      this.spec.facets.map((facet) => [facet, key[facet]]),
    ) as unknown as Partial<K>;
  }

  /** What is known of a segment, to be kept for the next start. */
  outline(segment: number): Outline<K> | undefined {
    return this.#segments.get(segment);
  }

  /** Segments of which only the outline is known, newest first. */
  unread(): number[] {
    return [...this.#segments].flatMap(([number, { read }]) => (read ? [] : number)).toReversed();
  }

  isRead(segment: number): boolean {
    return this.#segments.get(segment)?.read !== undefined;
  }

  /** Whether an id can only be in a segment that has been read. */
  isCertain(id: string): boolean {
    return this.#ranges.around(id).every((segment) => this.isRead(segment));
  }

  /**
   * Of those that have been read. Ids rise with time, so that hardly more than one segment is asked, and of most
   * nothing has to be kept for each id.
   */
  segmentOf(id: string): number | undefined {
    return this.#ranges.around(id).find((segment) => {
      const { read } = this.#segments.get(segment)!;
      return read !== undefined && holds(read, id);
    });
  }

  /** Of those that have been read. */
  segmentOfUnique(unique: string): number | undefined {
    return this.#byUnique.get(unique);
  }

  /** How much the segment holds, for the bounds. */
  fill(segment: number): { records: number; bytes: number } {
    const { count = 0, bytes = 0 } = this.#segments.get(segment) ?? {};
    return { records: count, bytes };
  }

  count(where?: Where<K>): number {
    return where ? sumOf([...this.#totals.values()], this.#among(where)) : this.size;
  }

  groups(): Group<K>[] {
    return [...this.#totals.values()].map(({ key, count }) => ({ key, count }));
  }

  #among(where: Where<K>): (key: Partial<K>) => boolean {
    const other = this.#otherThanFacets(where);
    if (other) throw new Error(`"${other.field}" of ${this.spec.name} is none of its facets.`);
    return matcherOf(where);
  }

  #otherThanFacets(where: Where<K>) {
    const facets: readonly string[] = this.spec.facets;
    for (const terms of termsOf(where))
      for (const term of terms) if (!facets.includes(term.field)) return term;
    return undefined;
  }

  /** Whether a selection needs the keys of all records, and so all of them read. */
  needsKeys(where: Where<K> | undefined): where is Where<K> {
    return where !== undefined && this.#otherThanFacets(where) !== undefined;
  }

  /** The numbers of the segments that may have a match, oldest first. */
  matching(where?: (key: K) => boolean): number[] {
    return [...this.#segments].flatMap(([number, { read, count }]) =>
      (read && where ? read.keys.some((key) => where(key)) : count > 0) ? [number] : [],
    );
  }

  /** Of all segments that have been read. */
  keys(): K[] {
    return [...this.#segments.values()].flatMap(({ read }) => read?.keys ?? []);
  }

  /** The keys of a segment's records, in the order of the file; undefined when it has not been read. */
  keysOf(segment: number): readonly K[] | undefined {
    return this.#segments.get(segment)?.read?.keys;
  }

  /** The numbers of the segments with matches, in the order asked for. */
  *inOrder({ where, newestFirst }: Omit<Selection<K>, "offset" | "limit">): Generator<{
    segment: number;
    count: number;
  }> {
    const countOf = this.#counter(where);
    const numbers = [...this.#segments.keys()];
    if (newestFirst) numbers.reverse();
    for (const segment of numbers) {
      const count = countOf(this.#segments.get(segment)!);
      if (count > 0) yield { segment, count };
    }
  }

  #counter(where: Where<K> | undefined): (segment: Segment<K>) => number {
    if (where === undefined) return ({ count }) => count;
    const isMeant = matcherOf(where);
    if (this.needsKeys(where)) return ({ read }) => read!.keys.filter(isMeant).length;
    return ({ groups }) => sumOf(groups, isMeant);
  }

  /** Where one page of the matches is, and how many matches there are on all pages. */
  select(selection: Selection<K>): { pieces: Piece[]; total: number } {
    const { where, offset, limit } = selection;
    const pieces: Piece[] = [];
    let [skip, wanted] = [offset, limit];
    for (const { segment, count } of this.inOrder(selection)) {
      if (wanted <= 0) break;
      const take = Math.min(count - skip, wanted);
      if (take > 0) {
        pieces.push({ segment, skip, take });
        wanted -= take;
      }
      skip = Math.max(0, skip - count);
    }
    const total = this.needsKeys(where)
      ? [...this.inOrder(selection)].reduce((sum, { count }) => sum + count, 0)
      : this.count(where);
    return { pieces, total };
  }
}

const holds = <K>(read: Read<K>, id: string) => (read.lookup ??= new Set(read.ids)).has(id);

function countIn<K>(
  groups: Map<string, { key: Partial<K>; count: number }>,
  kind: string,
  key: () => Partial<K>,
  count: number,
): void {
  const group = groups.get(kind);
  if (!group) groups.set(kind, { key: key(), count });
  else if (group.count + count === 0) groups.delete(kind);
  else group.count += count;
}

const sumOf = <K>(groups: readonly Group<K>[], isMeant: (key: Partial<K>) => boolean) =>
  groups.reduce((sum, { key, count }) => (isMeant(key) ? sum + count : sum), 0);
