/** A record list within a commit: the staged records, on top of the stored ones. */
import { isFullSegment } from "../archiveEntries.ts";
import { conflict } from "../../shared/errors.ts";
import type { StagedCommit } from "./commits.ts";
import { canonicalize } from "../storedValue.ts";
import type { ListEntry, ListMemory } from "./listMemory.ts";
import type { RecordChanges } from "../store.ts";
import { createMatcher, type Where } from "../where.ts";

interface StagedRecord<T, K> {
  readonly record: T;
  readonly key: K;
  readonly unique: string | undefined;
  readonly segment: number;
}

export class StagedList<T extends { id: string }, K> implements RecordChanges<T, K> {
  /** By id; null for a deleted record. */
  readonly #staged = new Map<string, StagedRecord<T, K> | null>();
  /** The record's id by unique key; null for a key that is no longer in use. */
  readonly #uniques = new Map<string, string | null>();
  /** The segment for the next insert, and the segment's size in characters. */
  #insertTarget: { segment: number; records: number; size: number };

  constructor(
    readonly memory: ListMemory<T, K>,
    readonly commit: StagedCommit,
  ) {
    const { number, entries, size } = memory.lastSegment;
    this.#insertTarget = { segment: number, records: entries.length, size };
  }

  #find(id: string): StagedRecord<T, K> | undefined {
    const staged = this.#staged.get(id);
    if (staged !== undefined) return staged ?? undefined;
    const entry = this.memory.find(id);
    return entry && toStagedRecord(entry);
  }

  #findUnique(unique: string): StagedRecord<T, K> | undefined {
    const id = this.#uniques.get(unique);
    if (id !== undefined) return id === null ? undefined : this.#find(id);
    const entry = this.memory.findUnique(unique);
    return entry && this.#find(entry.id);
  }

  async get(id: string): Promise<T | undefined> {
    return this.#find(id)?.record;
  }

  async findUnique(unique: string): Promise<T | undefined> {
    return this.#findUnique(unique)?.record;
  }

  async keys(where?: Where<K>): Promise<readonly K[]> {
    return this.#findMatching(where).map(({ key }) => key);
  }

  /** The matching records, of all or of some ids, in order of insertion. */
  #findMatching(where: Where<K> | undefined, ids?: readonly string[]): StagedRecord<T, K>[] {
    const matches = createMatcher(where);
    const all = ids ? ids.flatMap((id) => this.#find(id) ?? []) : this.#listRecords();
    return all.filter(({ key }) => matches(key));
  }

  #listRecords(): StagedRecord<T, K>[] {
    const ids = new Set<string>();
    const { entries } = this.memory.findMatching(undefined);
    const all = entries.flatMap((entry): StagedRecord<T, K>[] => {
      const staged = this.#staged.get(entry.id);
      if (staged === undefined) return [toStagedRecord<T, K>(entry)];
      ids.add(entry.id);
      return staged ? [staged] : [];
    });
    for (const [id, staged] of this.#staged) if (staged && !ids.has(id)) all.push(staged);
    return all;
  }

  async insertMissing(record: T): Promise<void> {
    if (!this.#find(record.id)) await this.insert(record);
  }

  async insert(value: T): Promise<T> {
    const record = this.#toCanonical(value);
    if (this.#find(record.id)) throw conflict();
    this.#assertFree(record);
    if (isFullSegment(this.#insertTarget))
      this.#insertTarget = { segment: this.#insertTarget.segment + 1, records: 0, size: 0 };
    this.#insertTarget.size += this.#stage(record, this.#insertTarget.segment);
    this.#insertTarget.records++;
    return record;
  }

  /** Throws an Error if `change` changes the unique key. */
  async upsert(unique: string, change: (existing: T | undefined) => T): Promise<T> {
    const existing = this.#findUnique(unique);
    const changed = change(existing?.record);
    if (existing && changed === existing.record) return changed;
    const next = this.#toCanonical(changed);
    if (this.memory.spec.uniqueKey?.(next) !== unique)
      throw new Error("An upsert must keep the record's unique key.");
    return existing ? this.#replace(existing, next) : this.insert(next);
  }

  async updateUnique(unique: string, change: (record: T) => T): Promise<void> {
    const existing = this.#findUnique(unique);
    if (existing) this.#replace(existing, change(existing.record));
    // A line is written in any case, so the response time doesn't reveal whether the record exists.
    this.commit.isTouched = true;
  }

  async update(id: string, change: (record: T) => T): Promise<T | undefined> {
    const existing = this.#find(id);
    return existing && this.#replace(existing, change(existing.record));
  }

  /** Throws `conflict`, `invalid_value`, and an Error if the id changes. */
  #replace(existing: StagedRecord<T, K>, value: T): T {
    if (value === existing.record) return value;
    const record = this.#toCanonical(value);
    if (record.id !== existing.record.id) throw new Error("A change must keep the record's id.");
    if (this.memory.spec.uniqueKey?.(record) !== existing.unique) this.#assertFree(record);
    this.#stage(record, existing.segment);
    return record;
  }

  /** With `ids`, only these records are changed. */
  async updateWhere(
    where: Where<K>,
    change: (record: T) => T,
    ids?: readonly string[],
  ): Promise<number> {
    const before = this.commit.writes.length;
    for (const each of this.#findMatching(where, ids)) this.#replace(each, change(each.record));
    return this.commit.writes.length - before;
  }

  async delete(id: string): Promise<T | undefined> {
    const existing = this.#find(id);
    if (existing) this.#drop(existing);
    return existing?.record;
  }

  /** With `ids`, only these records are deleted. */
  async deleteWhere(where: Where<K>, ids?: readonly string[]): Promise<number> {
    const matching = this.#findMatching(where, ids);
    for (const each of matching) this.#drop(each);
    return matching.length;
  }

  #toCanonical(value: T): T {
    return canonicalize(this.memory.spec.schema, this.memory.spec.name, value);
  }

  #assertFree(record: T): void {
    const unique = this.memory.spec.uniqueKey?.(record);
    if (unique !== undefined && this.#findUnique(unique)) throw conflict();
  }

  /** Stages a record for a segment. Returns the length of its JSON in characters. */
  #stage(record: T, number: number): number {
    const { memory, commit } = this;
    const { name, version, isNeededOnFullDisk } = memory.spec;
    const { id } = record;
    const text = JSON.stringify(record);
    const unique = memory.spec.uniqueKey?.(record);
    this.#set(id, { record, key: memory.spec.key(record), unique, segment: number });
    commit.add({
      entity: name,
      json: `{"entity":${JSON.stringify(name)},"version":${version},"segment":${number},"id":${JSON.stringify(id)},"value":${text}}`,
      isNeededOnFullDisk,
      apply: () =>
        memory.put(memory.findSegment(number) ?? memory.addSegment(number), record, text),
    });
    return text.length;
  }

  #drop({ record: { id }, segment }: StagedRecord<T, K>): void {
    const { memory, commit } = this;
    const { name: entity, version } = memory.spec;
    this.#set(id, null);
    commit.add({
      entity,
      json: JSON.stringify({ entity, version, segment, id }),
      // A deletion frees space.
      isNeededOnFullDisk: true,
      apply: () => memory.remove(id),
    });
  }

  #set(id: string, next: StagedRecord<T, K> | null): void {
    const before = this.#find(id)?.unique;
    if (before !== undefined) this.#uniques.set(before, null);
    if (next?.unique !== undefined) this.#uniques.set(next.unique, id);
    this.#staged.set(id, next);
  }
}

function toStagedRecord<T, K>({ text, key, unique, segment }: ListEntry<K>): StagedRecord<T, K> {
  let record: T | undefined;
  return {
    // Parsed when first read.
    get record() {
      return (record ??= JSON.parse(text) as T);
    },
    key,
    unique,
    segment: segment.number,
  };
}
