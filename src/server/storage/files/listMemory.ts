/** A record list in memory, as JSON. Parsed objects would need three times the memory; parsing takes microseconds. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { RecordsSpec } from "../entitySpecs.ts";
import type { RecordWrite } from "./journalLines.ts";
import type { FacetCount } from "../store.ts";
import { createMatcher, type WhereTerm, toTerms, type Where } from "../where.ts";

export interface ListEntry<K> {
  readonly id: string;
  readonly segment: Segment<K>;
  json: string;
  keys: K;
  uniqueKey: string | undefined;
  /** True once the record is deleted. A search that found the record before its deletion leaves it out. */
  isDeleted: boolean;
}

/** The records of one segment file, in order of insertion. */
interface Segment<K> {
  readonly number: number;
  readonly entries: ListEntry<K>[];
  /** The length of the records' JSON in characters. */
  size: number;
  /** The number of the last commit in the segment's file; 0 if there is no file yet. */
  writtenSeq: number;
  isChanged: boolean;
  /** True if data was erased since the last write. The next write then also removes leftover copies of that data. */
  hasErasedData: boolean;
}

export class ListMemory<T extends { id: string }, K> {
  /** The segments by ascending number. Once the list is open, there is at least one segment. */
  readonly segments: Segment<K>[] = [];
  readonly #byNumber = new Map<number, Segment<K>>();
  readonly #byId = new Map<string, ListEntry<K>>();
  readonly #byUniqueKey = new Map<string, ListEntry<K>>();
  readonly #facetCounts = new Map<string, { readonly facets: Partial<K>; count: number }>();
  /** The length of all records' JSON in characters. */
  size = 0;

  constructor(readonly spec: RecordsSpec<T, K>) {}

  get lastSegment(): Segment<K> {
    return assertDefined(this.segments.at(-1), "segment");
  }

  getOrAddSegment(number: number): Segment<K> {
    return this.#byNumber.get(number) ?? this.addSegment(number);
  }

  find(id: string): ListEntry<K> | undefined {
    return this.#byId.get(id);
  }

  findUnique(uniqueKey: string): ListEntry<K> | undefined {
    return this.#byUniqueKey.get(uniqueKey);
  }

  addSegment(number: number, writtenSeq = 0): Segment<K> {
    const segment: Segment<K> = {
      number,
      entries: [],
      size: 0,
      writtenSeq,
      isChanged: writtenSeq === 0,
      hasErasedData: false,
    };
    this.segments.push(segment);
    this.#byNumber.set(number, segment);
    return segment;
  }

  /** Removes the empty segments at the beginning, but leaves at least one. Returns the removed segments' numbers. */
  dropEmptySegments(): number[] {
    const firstFilledIndex = this.segments.findIndex(({ entries }) => entries.length > 0);
    const droppedSegments = this.segments.splice(
      0,
      firstFilledIndex === -1 ? this.segments.length - 1 : firstFilledIndex,
    );
    for (const { number } of droppedSegments) this.#byNumber.delete(number);
    return droppedSegments.map(({ number }) => number);
  }

  /** Replaces the record with this id, or appends it to the segment. `json` is the record's JSON. */
  put(segment: Segment<K>, record: T, json: string): void {
    const { getKeys, getUniqueKey } = this.spec;
    const existing = this.#byId.get(record.id);
    if (existing) {
      this.#updateCounts(existing, -1);
      if (existing.uniqueKey !== undefined) this.#byUniqueKey.delete(existing.uniqueKey);
      segment.hasErasedData = true;
    }
    const entry = existing ?? ({ id: record.id, segment, isDeleted: false } as ListEntry<K>);
    entry.json = json;
    entry.keys = Object.freeze(getKeys(record));
    entry.uniqueKey = getUniqueKey?.(record);
    if (!existing) {
      segment.entries.push(entry);
      this.#byId.set(entry.id, entry);
    }
    if (entry.uniqueKey !== undefined) this.#byUniqueKey.set(entry.uniqueKey, entry);
    this.#updateCounts(entry, 1);
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    if (!entry) return;
    this.#updateCounts(entry, -1);
    this.#byId.delete(id);
    if (entry.uniqueKey !== undefined) this.#byUniqueKey.delete(entry.uniqueKey);
    entry.isDeleted = true;
    const { segment } = entry;
    segment.entries.splice(segment.entries.indexOf(entry), 1);
    segment.hasErasedData = true;
  }

  /** Applies a change from the journal unless the segment's file has it already. Throws `cannot_open`. */
  replay({ segment: number, id, version, value }: RecordWrite, seq: number): void {
    // A later change emptied the segment, and its file was removed.
    if (number < (this.segments[0]?.number ?? 0)) return;
    const segment = this.getOrAddSegment(number);
    if (segment.writtenSeq >= seq) return;
    if (value === undefined) return this.remove(id);
    const record = this.spec.migrate(version, value);
    this.put(segment, record, JSON.stringify(record));
  }

  loadRecords(number: number, writtenSeq: number, records: readonly T[]): Segment<K> {
    const segment = this.addSegment(number, writtenSeq);
    for (const record of records) this.put(segment, record, JSON.stringify(record));
    segment.isChanged = segment.hasErasedData = false;
    return segment;
  }

  /** Updates the sizes and counts for a record that is added (`sign` 1) or removed (-1). */
  #updateCounts({ json, keys, segment }: ListEntry<K>, sign: 1 | -1): void {
    segment.isChanged = true;
    this.size += sign * json.length;
    segment.size += sign * json.length;
    const facets: Partial<K> = {};
    for (const facet of this.spec.facets) facets[facet as keyof K] = keys[facet as keyof K];
    const facetsJson = JSON.stringify(facets);
    const facetCount = this.#facetCounts.get(facetsJson) ?? { facets, count: 0 };
    facetCount.count += sign;
    if (facetCount.count === 0) this.#facetCounts.delete(facetsJson);
    else this.#facetCounts.set(facetsJson, facetCount);
  }

  countByFacet(): FacetCount<K>[] {
    return [...this.#facetCounts.values()].map(({ facets, count }) => ({
      facets: { ...facets },
      count,
    }));
  }

  /** Returns at most `limit` matches from `offset` on, and the total number of matches. */
  findMatching(
    where: Where<K> | undefined,
    { newestFirst = false, offset = 0, limit = Infinity }: ListRange = {},
  ): { entries: ListEntry<K>[]; total: number } {
    const matches = createMatcher(where);
    const exactTotal = this.#countFromFacets(where);
    const selected: ListEntry<K>[] = [];
    let total = 0;
    for (const { entries } of newestFirst ? this.segments.toReversed() : this.segments)
      for (let offsetInSegment = 0; offsetInSegment < entries.length; offsetInSegment++) {
        if (exactTotal !== undefined && selected.length >= limit)
          return { entries: selected, total: exactTotal };
        const entry = entries[newestFirst ? entries.length - 1 - offsetInSegment : offsetInSegment];
        if (!entry || !matches(entry.keys)) continue;
        if (total >= offset && selected.length < limit) selected.push(entry);
        total++;
      }
    return { entries: selected, total };
  }

  /** Returns the number of matches from the counts by facet; undefined if `where` uses other keys than facets. */
  #countFromFacets(where: Where<K> | undefined): number | undefined {
    if (where === undefined) return this.#byId.size;
    const isFacet = ({ field }: WhereTerm) =>
      (this.spec.facets as readonly string[]).includes(field);
    if (!toTerms(where).flat().every(isFacet)) return undefined;
    const matches = createMatcher(where);
    let count = 0;
    for (const facetCount of this.#facetCounts.values())
      if (matches(facetCount.facets)) count += facetCount.count;
    return count;
  }
}

interface ListRange {
  readonly newestFirst?: boolean | undefined;
  readonly offset?: number;
  readonly limit?: number;
}
