/** One segment while changes to it are collected for the next write. */
import { conflict } from "../shared/errors.ts";
import { canonical } from "./envelope.ts";
import type { SegmentIndex } from "./segmentIndex.ts";

/** A full segment takes no more inserts, so that a write costs the same however many are stored. */
const MOST_RECORDS = 200;
const MOST_BYTES = 256 * 1024;

export const isFull = (fill: { records: number; bytes: number }) =>
  fill.records >= MOST_RECORDS || fill.bytes >= MOST_BYTES;

export class SegmentStage<T extends { id: string }, K> {
  records: T[];
  dirty = false;
  /** Something was changed or removed, so no copy of the earlier content may stay. */
  erasing = false;
  /** Something was deleted for good: kept-aside copies of the segment go as well. */
  deleting = false;
  #bytes: number;

  constructor(
    readonly index: SegmentIndex<T, K>,
    readonly number: number,
    readonly before: readonly T[],
  ) {
    this.records = [...before];
    this.#bytes = index.fill(number).bytes;
  }

  /** Whether an insert can still go here. */
  get takesInserts(): boolean {
    const fill = { records: this.records.length, bytes: this.#bytes };
    return this.number === this.index.last && !isFull(fill);
  }

  find(id: string): T | undefined {
    return this.records.find((record) => record.id === id);
  }

  #findUnique(unique: string): T | undefined {
    return this.records.find((record) => this.index.spec.unique?.(record) === unique);
  }

  /** As the index, with what is staged here on top. */
  segmentOf(id: string): number | undefined {
    if (this.find(id)) return this.number;
    const stored = this.index.segmentOf(id);
    return stored === this.number ? undefined : stored;
  }

  segmentOfUnique(unique: string): number | undefined {
    if (this.#findUnique(unique)) return this.number;
    const stored = this.index.segmentOfUnique(unique);
    return stored === this.number ? undefined : stored;
  }

  /** Throws `conflict` and `invalid_value`. */
  add(value: T): T {
    const record = this.#canonical(value);
    if (this.segmentOf(record.id) !== undefined) throw conflict();
    this.#assertUniqueFree(record);
    this.records.push(record);
    this.#bytes += Buffer.byteLength(JSON.stringify(record));
    this.dirty = true;
    return record;
  }

  /**
   * Adds or changes the record with this unique key. Throws `conflict` and `invalid_value`, and an Error
   * when the key is another one afterwards.
   */
  upsert(unique: string, change: (existing: T | undefined) => T): T {
    const existing = this.#findUnique(unique);
    const given = change(existing);
    if (existing && given === existing) return existing;
    const next = this.#canonical(given);
    if (this.index.spec.unique?.(next) !== unique) {
      throw new Error("An upsert must keep the record's unique key.");
    }
    const stored = existing ? this.change(existing, next) : this.add(next);
    // Written as a change is, an added record too: one fsync less would tell which it was.
    this.erasing = true;
    return stored;
  }

  /** Without such a record the segment is written all the same, as it is. Throws as `change` does. */
  changeUnique(unique: string, change: (record: T) => T): void {
    const existing = this.#findUnique(unique);
    if (existing) this.change(existing, change(existing));
    this.dirty = this.erasing = true;
  }

  /** Throws `conflict` and `invalid_value`, and an Error when the id is another one. */
  change(existing: T, value: T): T {
    if (value === existing) return existing;
    const record = this.#canonical(value);
    if (record.id !== existing.id) throw new Error("A change must keep the record's id.");
    const { unique } = this.index.spec;
    if (unique && unique(record) !== unique(existing)) this.#assertUniqueFree(record);
    this.records[this.records.indexOf(existing)] = record;
    this.dirty = this.erasing = true;
    return record;
  }

  /** All or none; copies kept aside go as well. Returns how many changed. Throws as `change` does. */
  changeAll(matches: (record: T) => boolean, change: (record: T) => T): number {
    const { records, dirty, erasing } = this;
    this.records = [...records];
    try {
      const matching = records.filter((record) => matches(record));
      const changed = matching.filter((record) => this.change(record, change(record)) !== record);
      if (changed.length > 0) this.deleting = true;
      return changed.length;
    } catch (error) {
      Object.assign(this, { records, dirty, erasing });
      throw error;
    }
  }

  /** Returns what was removed. */
  remove(matches: (record: T) => boolean): T[] {
    const removed = this.records.filter((record) => matches(record));
    if (removed.length === 0) return removed;
    this.records = this.records.filter((record) => !removed.includes(record));
    this.dirty = this.erasing = this.deleting = true;
    return removed;
  }

  #canonical(value: T): T {
    return canonical(this.index.spec.schema, this.index.spec.name, value);
  }

  #assertUniqueFree(record: T): void {
    const unique = this.index.spec.unique?.(record);
    if (unique !== undefined && this.segmentOfUnique(unique) !== undefined) throw conflict();
  }
}
