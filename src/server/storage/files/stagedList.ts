/** A record list within a commit. Reads see the commit's staged records in place of the stored records. */
import { isFullSegment } from "../archiveEntries.ts";
import { conflict } from "../../shared/errors.ts";
import type { StagedCommit } from "./committer.ts";
import { canonicalize } from "../storedValue.ts";
import type { ListEntry, ListMemory } from "./listMemory.ts";
import type { RecordChanges } from "../store.ts";
import { createMatcher, type Where } from "../where.ts";

interface StagedRecord<T, K> {
  readonly record: T;
  readonly keys: K;
  readonly uniqueKey: string | undefined;
  readonly segmentNumber: number;
}

export class StagedList<T extends { id: string }, K> implements RecordChanges<T, K> {
  /** The staged records by id; null for a deleted record. */
  readonly #stagedRecords = new Map<string, StagedRecord<T, K> | null>();
  /** The staged records' ids by unique key; null for a unique key that is no longer in use. */
  readonly #idsByUniqueKey = new Map<string, string | null>();
  /** The segment for the next insert, and the segment's size in characters. */
  #insertTarget: { segmentNumber: number; recordCount: number; size: number };

  constructor(
    readonly memory: ListMemory<T, K>,
    readonly commit: StagedCommit,
  ) {
    const { number, entries, size } = memory.lastSegment;
    this.#insertTarget = { segmentNumber: number, recordCount: entries.length, size };
  }

  #find(id: string): StagedRecord<T, K> | undefined {
    const staged = this.#stagedRecords.get(id);
    if (staged !== undefined) return staged ?? undefined;
    const entry = this.memory.find(id);
    return entry && toStagedRecord(entry);
  }

  #findUnique(uniqueKey: string): StagedRecord<T, K> | undefined {
    const id = this.#idsByUniqueKey.get(uniqueKey);
    if (id !== undefined) return id === null ? undefined : this.#find(id);
    const entry = this.memory.findUnique(uniqueKey);
    return entry && this.#find(entry.id);
  }

  async get(id: string): Promise<T | undefined> {
    return this.#find(id)?.record;
  }

  async findUnique(uniqueKey: string): Promise<T | undefined> {
    return this.#findUnique(uniqueKey)?.record;
  }

  async readKeys(where?: Where<K>): Promise<readonly K[]> {
    return this.#findMatching(where).map(({ keys }) => keys);
  }

  /** Returns the matching records in order of insertion. With `ids`, only these records are searched. */
  #findMatching(where: Where<K> | undefined, ids?: readonly string[]): StagedRecord<T, K>[] {
    const matches = createMatcher(where);
    const candidates = ids ? ids.flatMap((id) => this.#find(id) ?? []) : this.#listRecords();
    return candidates.filter(({ keys }) => matches(keys));
  }

  #listRecords(): StagedRecord<T, K>[] {
    const ids = new Set<string>();
    const { entries } = this.memory.findMatching(undefined);
    const records = entries.flatMap((entry): StagedRecord<T, K>[] => {
      const staged = this.#stagedRecords.get(entry.id);
      if (staged === undefined) return [toStagedRecord<T, K>(entry)];
      ids.add(entry.id);
      return staged ? [staged] : [];
    });
    for (const [id, staged] of this.#stagedRecords)
      if (staged && !ids.has(id)) records.push(staged);
    return records;
  }

  async insertMissing(record: T): Promise<void> {
    if (!this.#find(record.id)) await this.insert(record);
  }

  async insert(value: T): Promise<T> {
    const record = this.#toCanonical(value);
    if (this.#find(record.id)) throw conflict();
    this.#assertUniqueKeyFree(record);
    if (isFullSegment(this.#insertTarget))
      this.#insertTarget = {
        segmentNumber: this.#insertTarget.segmentNumber + 1,
        recordCount: 0,
        size: 0,
      };
    this.#insertTarget.size += this.#stage(record, this.#insertTarget.segmentNumber);
    this.#insertTarget.recordCount++;
    return record;
  }

  /** Changes or inserts a record. Throws an Error if `change` changes the unique key. */
  async upsert(uniqueKey: string, change: (existing: T | undefined) => T): Promise<T> {
    const existing = this.#findUnique(uniqueKey);
    const changedRecord = change(existing?.record);
    if (existing && changedRecord === existing.record) return changedRecord;
    const next = this.#toCanonical(changedRecord);
    if (this.memory.spec.getUniqueKey?.(next) !== uniqueKey)
      throw new Error("An upsert must keep the record's unique key.");
    return existing ? this.#replace(existing, next) : this.insert(next);
  }

  async updateUnique(uniqueKey: string, change: (record: T) => T): Promise<void> {
    const existing = this.#findUnique(uniqueKey);
    if (existing) this.#replace(existing, change(existing.record));
    // A line is written even if nothing changes, so that the response time doesn't reveal whether the record exists.
    this.commit.isLineRequired = true;
  }

  async update(id: string, change: (record: T) => T): Promise<T | undefined> {
    const existing = this.#find(id);
    return existing && this.#replace(existing, change(existing.record));
  }

  /** Stages a changed record. Throws `conflict`, `invalid_value`, and an Error if the id changes. */
  #replace(existing: StagedRecord<T, K>, value: T): T {
    if (value === existing.record) return value;
    const record = this.#toCanonical(value);
    if (record.id !== existing.record.id) throw new Error("A change must keep the record's id.");
    if (this.memory.spec.getUniqueKey?.(record) !== existing.uniqueKey)
      this.#assertUniqueKeyFree(record);
    this.#stage(record, existing.segmentNumber);
    return record;
  }

  async updateWhere(
    where: Where<K>,
    change: (record: T) => T,
    ids?: readonly string[],
  ): Promise<number> {
    const writeCountBefore = this.commit.writes.length;
    for (const each of this.#findMatching(where, ids)) this.#replace(each, change(each.record));
    return this.commit.writes.length - writeCountBefore;
  }

  async delete(id: string): Promise<T | undefined> {
    const existing = this.#find(id);
    if (existing) this.#stageDeletion(existing);
    return existing?.record;
  }

  async deleteWhere(where: Where<K>, ids?: readonly string[]): Promise<number> {
    const matchingRecords = this.#findMatching(where, ids);
    for (const each of matchingRecords) this.#stageDeletion(each);
    return matchingRecords.length;
  }

  #toCanonical(value: T): T {
    return canonicalize(this.memory.spec.schema, this.memory.spec.name, value);
  }

  #assertUniqueKeyFree(record: T): void {
    const uniqueKey = this.memory.spec.getUniqueKey?.(record);
    if (uniqueKey !== undefined && this.#findUnique(uniqueKey)) throw conflict();
  }

  /** Stages a record in a segment. Returns the length of the record's JSON in characters. */
  #stage(record: T, segmentNumber: number): number {
    const { memory, commit } = this;
    const { name, version, isNeededOnFullDisk } = memory.spec;
    const { id } = record;
    const valueJson = JSON.stringify(record);
    const uniqueKey = memory.spec.getUniqueKey?.(record);
    this.#set(id, { record, keys: memory.spec.getKeys(record), uniqueKey, segmentNumber });
    commit.writes.push({
      entity: name,
      json: `{"entity":${JSON.stringify(name)},"version":${version},"segment":${segmentNumber},"id":${JSON.stringify(id)},"value":${valueJson}}`,
      isNeededOnFullDisk,
      afterCommit: () => memory.put(memory.getOrAddSegment(segmentNumber), record, valueJson),
    });
    return valueJson.length;
  }

  #stageDeletion({ record: { id }, segmentNumber: segment }: StagedRecord<T, K>): void {
    const { memory, commit } = this;
    const { name: entity, version } = memory.spec;
    this.#set(id, null);
    commit.writes.push({
      entity,
      json: JSON.stringify({ entity, version, segment, id }),
      // A deletion may use the reserved space on a full disk, because it frees space.
      isNeededOnFullDisk: true,
      afterCommit: () => memory.remove(id),
    });
  }

  #set(id: string, next: StagedRecord<T, K> | null): void {
    const previousUniqueKey = this.#find(id)?.uniqueKey;
    if (previousUniqueKey !== undefined) this.#idsByUniqueKey.set(previousUniqueKey, null);
    if (next?.uniqueKey !== undefined) this.#idsByUniqueKey.set(next.uniqueKey, id);
    this.#stagedRecords.set(id, next);
  }
}

function toStagedRecord<T, K>({
  json,
  keys,
  uniqueKey,
  segment,
}: ListEntry<K>): StagedRecord<T, K> {
  let record: T | undefined;
  return {
    // The JSON is parsed only when the record is first read.
    get record() {
      return (record ??= JSON.parse(json) as T);
    },
    keys,
    uniqueKey,
    segmentNumber: segment.number,
  };
}
