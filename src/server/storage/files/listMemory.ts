/**
 * A record list in memory: each record's stored text, keys and segment. Records are parsed from their texts on demand,
 * which costs microseconds; as objects they would take three times the memory.
 */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { RecordsSpec } from "../entitySpecs.ts";
import type { RecordWrite } from "./journalLines.ts";
import type { FacetGroup } from "../store.ts";
import { createMatcher, type WhereTerm, toTerms, type Where } from "../where.ts";

export interface ListEntry<K> {
  readonly id: string;
  readonly segment: Segment<K>;
  text: string;
  key: K;
  unique: string | undefined;
  /** Deleted since it was found. */
  isDeleted: boolean;
}

/** A file's records, in order. */
export interface Segment<K> {
  readonly number: number;
  readonly entries: ListEntry<K>[];
  /** Of its records' texts, in characters. */
  size: number;
  /** The last change in its file; 0: there is no file yet. */
  written: number;
  /** It differs from its file. */
  isChanged: boolean;
  /** Something in it was changed or deleted since the last write: that also removes saved copies. */
  isErased: boolean;
}

export class ListMemory<T extends { id: string }, K> {
  /** Ascending; never empty once opened. */
  readonly segments: Segment<K>[] = [];
  readonly #byNumber = new Map<number, Segment<K>>();
  readonly #entries = new Map<string, ListEntry<K>>();
  readonly #uniques = new Map<string, ListEntry<K>>();
  readonly #groups = new Map<string, { readonly key: Partial<K>; count: number }>();
  /** Of all texts, in characters. */
  size = 0;

  constructor(readonly spec: RecordsSpec<T, K>) {}

  get count(): number {
    return this.#entries.size;
  }

  get lastSegment(): Segment<K> {
    return assertDefined(this.segments.at(-1), "segment");
  }

  findSegment(number: number): Segment<K> | undefined {
    return this.#byNumber.get(number);
  }

  find(id: string): ListEntry<K> | undefined {
    return this.#entries.get(id);
  }

  findUnique(unique: string): ListEntry<K> | undefined {
    return this.#uniques.get(unique);
  }

  /** Appends a new, empty one. */
  addSegment(number: number, written = 0): Segment<K> {
    const segment: Segment<K> = {
      number,
      entries: [],
      size: 0,
      written,
      isChanged: written === 0,
      isErased: false,
    };
    this.segments.push(segment);
    this.#byNumber.set(number, segment);
    return segment;
  }

  /** Drops empty segments at the beginning, except the last of all. */
  dropEmpty(): number[] {
    const filled = this.segments.findIndex(({ entries }) => entries.length > 0);
    const dropped = this.segments.splice(0, filled === -1 ? this.segments.length - 1 : filled);
    for (const { number } of dropped) this.#byNumber.delete(number);
    return dropped.map(({ number }) => number);
  }

  /** Replaces a record, or appends it to a segment. */
  put(segment: Segment<K>, record: T, text: string): void {
    const { key, uniqueKey } = this.spec;
    const existing = this.#entries.get(record.id);
    if (existing) {
      this.#updateCounts(existing, -1);
      if (existing.unique !== undefined) this.#uniques.delete(existing.unique);
      segment.isErased = true;
    }
    const entry = existing ?? ({ id: record.id, segment, isDeleted: false } as ListEntry<K>);
    entry.text = text;
    entry.key = Object.freeze(key(record));
    entry.unique = uniqueKey?.(record);
    if (!existing) {
      segment.entries.push(entry);
      this.#entries.set(entry.id, entry);
    }
    if (entry.unique !== undefined) this.#uniques.set(entry.unique, entry);
    this.#updateCounts(entry, 1);
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#updateCounts(entry, -1);
    this.#entries.delete(id);
    if (entry.unique !== undefined) this.#uniques.delete(entry.unique);
    entry.isDeleted = true;
    const { segment } = entry;
    segment.entries.splice(segment.entries.indexOf(entry), 1);
    segment.isErased = true;
  }

  /** Replays a journal's change, which the segment's file may already have. Throws `cannot_open`. */
  replay({ segment: number, id, version, value }: RecordWrite, seq: number): void {
    // A segment that was emptied, and its file removed.
    if (number < (this.segments[0]?.number ?? 0)) return;
    const segment = this.findSegment(number) ?? this.addSegment(number);
    if (segment.written >= seq) return;
    if (value === undefined) return this.remove(id);
    const record = this.spec.migrate(version, value);
    this.put(segment, record, JSON.stringify(record));
  }

  loadRecords(number: number, written: number, records: readonly T[]): Segment<K> {
    const segment = this.addSegment(number, written);
    for (const record of records) this.put(segment, record, JSON.stringify(record));
    segment.isChanged = segment.isErased = false;
    return segment;
  }

  #updateCounts({ text, key, segment }: ListEntry<K>, sign: 1 | -1): void {
    segment.isChanged = true;
    this.size += sign * text.length;
    segment.size += sign * text.length;
    const facets: Partial<K> = {};
    for (const facet of this.spec.facets) facets[facet as keyof K] = key[facet as keyof K];
    const name = JSON.stringify(facets);
    const group = this.#groups.get(name) ?? { key: facets, count: 0 };
    group.count += sign;
    if (group.count === 0) this.#groups.delete(name);
    else this.#groups.set(name, group);
  }

  groups(): FacetGroup<K>[] {
    return [...this.#groups.values()].map(({ key, count }) => ({ key: { ...key }, count }));
  }

  /** The matches in either order, counted; returned from `offset` on, at most `limit`. */
  findMatching(
    where: Where<K> | undefined,
    { newestFirst = false, offset = 0, limit = Infinity }: ListRange = {},
  ): { entries: ListEntry<K>[]; total: number } {
    const matches = createMatcher(where);
    const exactTotal = this.#countFromGroups(where);
    const hits: ListEntry<K>[] = [];
    let total = 0;
    for (const { entries } of newestFirst ? this.segments.toReversed() : this.segments)
      for (let nth = 0; nth < entries.length; nth++) {
        if (exactTotal !== undefined && hits.length >= limit)
          return { entries: hits, total: exactTotal };
        const entry = entries[newestFirst ? entries.length - 1 - nth : nth];
        if (!entry || !matches(entry.key)) continue;
        if (total >= offset && hits.length < limit) hits.push(entry);
        total++;
      }
    return { entries: hits, total };
  }

  /** The number of matches if only facets are used, else undefined. */
  #countFromGroups(where: Where<K> | undefined): number | undefined {
    if (where === undefined) return this.count;
    const isFacet = ({ field }: WhereTerm) =>
      (this.spec.facets as readonly string[]).includes(field);
    if (!toTerms(where).flat().every(isFacet)) return undefined;
    const matches = createMatcher(where);
    let count = 0;
    for (const group of this.#groups.values()) if (matches(group.key)) count += group.count;
    return count;
  }
}

interface ListRange {
  readonly newestFirst?: boolean | undefined;
  readonly offset?: number;
  readonly limit?: number;
}
