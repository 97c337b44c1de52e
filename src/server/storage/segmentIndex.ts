/** What of all records stays in memory: which segment holds an id, the unique keys, the filter keys. */
import type { RecordsSpec } from "./entitySpecs.ts";
import type { PageRequest } from "./store.ts";

interface Segment<K> {
  /** In the order of the file; `keys` runs beside it. */
  ids: string[];
  keys: K[];
  bytes: number;
}

export interface Place {
  segment: number;
  id: string;
}

export class SegmentIndex<T extends { id: string }, K> {
  readonly #segments = new Map<number, Segment<K>>();
  readonly #byId = new Map<string, number>();
  readonly #byUnique = new Map<string, number>();
  /** The segment that takes the next record. */
  last = 0;
  /** Of the segments' files, without their copies. */
  bytes = 0;

  constructor(readonly spec: RecordsSpec<T, K>) {}

  get size(): number {
    return this.#byId.size;
  }

  segmentOf(id: string): number | undefined {
    return this.#byId.get(id);
  }

  segmentOfUnique(unique: string): number | undefined {
    return this.#byUnique.get(unique);
  }

  /** How much the segment holds, for the bounds. */
  fill(segment: number): { records: number; bytes: number } {
    const { ids, bytes } = this.#segments.get(segment) ?? { ids: [], bytes: 0 };
    return { records: ids.length, bytes };
  }

  /** Takes over a segment's content; `before` is what it held according to the index. */
  replace(segment: number, before: readonly T[], after: readonly T[], bytes: number): void {
    const { key, unique } = this.spec;
    const kept = new Set(after);
    for (const record of before) if (!kept.has(record)) this.#forget(record);
    for (const record of after) {
      this.#byId.set(record.id, segment);
      if (unique) this.#byUnique.set(unique(record), segment);
    }
    const ids = after.map((record) => record.id);
    this.bytes += bytes - this.fill(segment).bytes;
    this.#segments.set(segment, { ids, keys: after.map((record) => key(record)), bytes });
    this.last = Math.max(this.last, segment);
  }

  #forget(record: T): void {
    this.#byId.delete(record.id);
    if (this.spec.unique) this.#byUnique.delete(this.spec.unique(record));
  }

  count(where?: (key: K) => boolean): number {
    if (!where) return this.size;
    let count = 0;
    for (const { keys } of this.#segments.values()) for (const key of keys) if (where(key)) count++;
    return count;
  }

  /** The numbers of the segments with a match, oldest first. */
  matching(where?: (key: K) => boolean): number[] {
    return [...this.#segments].flatMap(([number, { keys }]) =>
      (where ? keys.some((key) => where(key)) : keys.length > 0) ? [number] : [],
    );
  }

  /** Where one page of the matches is, and how many matches there are on all pages. */
  select(request: PageRequest<K>): { places: Place[]; total: number } {
    const { where, newestFirst = false, offset, limit } = request;
    const segments = [...this.#segments];
    if (newestFirst) segments.reverse();
    const places: Place[] = [];
    let total = 0;
    for (const [segment, { ids, keys }] of segments) {
      const matches = where ? keys.flatMap((key, at) => (where(key) ? at : [])) : undefined;
      const count = matches?.length ?? ids.length;
      const from = Math.max(0, offset - total);
      for (let step = from; step < count && places.length < limit; step++) {
        const nth = newestFirst ? count - 1 - step : step;
        places.push({ segment, id: ids[matches?.[nth] ?? nth]! });
      }
      total += count;
    }
    return { places, total };
  }
}
