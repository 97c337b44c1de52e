/** A record list in a data folder. Reads use memory, changes go to the journal, and checkpoints write the files. */
import { toSearchText } from "../../../schema/core/boundedUnicode.ts";
import type { Committer, StagedCommit, Stageable } from "./committer.ts";
import type { RecordsSpec } from "../entitySpecs.ts";
import type { RecordWrite } from "./journalLines.ts";
import { StagedList } from "./stagedList.ts";
import { ListFiles } from "./listFiles.ts";
import type { PendingWrite, DataFolder } from "./dataFolder.ts";
import { type ListEntry, ListMemory } from "./listMemory.ts";
import type { FacetCount, Page, PageRequest, Records } from "../store.ts";
import { createMatcher, type Where } from "../where.ts";

/** The maximum number of records that one commit changes. Larger changes are split, so that others don't wait long. */
const MAX_RECORDS_PER_BATCH = 200;
/** The maximum time that a search runs before it lets other work run. */
const MAX_UNINTERRUPTED_WORK_MS = 10;

export class StoredList<T extends { id: string }, K> implements Records<T, K>, Stageable {
  readonly #memory: ListMemory<T, K>;

  private constructor(
    readonly files: ListFiles<T, K>,
    readonly committer: Committer,
  ) {
    this.#memory = files.memory;
  }

  /** Opens a list. `wasStored`: it was stored before, so a missing file is a loss. Throws `cannot_open`. */
  static async open<T extends { id: string }, K>(
    folder: DataFolder,
    spec: RecordsSpec<T, K>,
    wasStored: boolean,
    committer: Committer,
  ): Promise<StoredList<T, K>> {
    const memory = new ListMemory<T, K>(spec);
    return new StoredList(await ListFiles.open(folder, memory, wasStored), committer);
  }

  /** Applies a change from the journal unless the files have it already. Throws `cannot_open`. */
  replay(write: RecordWrite, seq: number): void {
    this.#memory.replay(write, seq);
  }

  get seq(): number {
    return this.files.seq;
  }

  get isWritten(): boolean {
    return this.files.isWritten;
  }

  captureContent(seq: number): PendingWrite {
    return this.files.captureContent(seq);
  }

  stage(commit: StagedCommit): StagedList<T, K> {
    return new StagedList(this.#memory, commit);
  }

  #change<R>(change: (staged: StagedList<T, K>) => Promise<R>): Promise<R> {
    return this.committer.run((commit) => change(commit.getStagedState(this)));
  }

  insert(record: T): Promise<T> {
    return this.#change((staged) => staged.insert(record));
  }

  upsert(uniqueKey: string, change: (existing: T | undefined) => T): Promise<T> {
    return this.#change((staged) => staged.upsert(uniqueKey, change));
  }

  updateUnique(uniqueKey: string, change: (record: T) => T): Promise<void> {
    return this.#change((staged) => staged.updateUnique(uniqueKey, change));
  }

  update(id: string, change: (record: T) => T): Promise<T | undefined> {
    return this.#change((staged) => staged.update(id, change));
  }

  delete(id: string): Promise<T | undefined> {
    return this.#change((staged) => staged.delete(id));
  }

  updateWhere(where: Where<K>, change: (record: T) => T): Promise<number> {
    return this.#runInBatches(where, (staged, ids) => staged.updateWhere(where, change, ids));
  }

  deleteWhere(where: Where<K>): Promise<number> {
    return this.#runInBatches(where, (staged, ids) => staged.deleteWhere(where, ids));
  }

  async #runInBatches(
    where: Where<K>,
    work: (staged: StagedList<T, K>, ids: readonly string[]) => Promise<number>,
  ): Promise<number> {
    // Waits for changes that are being stored, so that the search includes their records.
    const ids = await this.committer.runExclusively(async () =>
      this.#findMatching(where).map(({ id }) => id),
    );
    let count = 0;
    for (let start = 0; start < ids.length; start += MAX_RECORDS_PER_BATCH)
      count += await this.#change((staged) =>
        work(staged, ids.slice(start, start + MAX_RECORDS_PER_BATCH)),
      );
    return count;
  }

  #findMatching(where: Where<K> | undefined, newestFirst?: boolean): ListEntry<K>[] {
    return this.#memory.findMatching(where, { newestFirst }).entries;
  }

  async count(where?: Where<K>): Promise<number> {
    return this.#memory.findMatching(where, { limit: 0 }).total;
  }

  async countByFacet(): Promise<FacetCount<K>[]> {
    return this.#memory.countByFacet();
  }

  async measureBytes(): Promise<number> {
    return this.#memory.size;
  }

  async readKeys(where?: Where<K>): Promise<readonly K[]> {
    return this.#findMatching(where).map(({ keys }) => keys);
  }

  async get(id: string): Promise<T | undefined> {
    const entry = this.#memory.find(id);
    return entry && parseRecord<T>(entry);
  }

  async findUnique(uniqueKey: string): Promise<T | undefined> {
    const entry = this.#memory.findUnique(uniqueKey);
    return entry && parseRecord<T>(entry);
  }

  async readPage({ where, search, newestFirst, offset, limit }: PageRequest<K>): Promise<Page<T>> {
    if (!search) {
      const range = { newestFirst, offset, limit };
      const { entries, total } = this.#memory.findMatching(where, range);
      return { items: entries.map(parseRecord<T>), total };
    }
    const entries = await this.#search(search, where, newestFirst);
    return {
      items: entries.slice(offset, offset + limit).map(parseRecord<T>),
      total: entries.length,
    };
  }

  async #search(search: string, where?: Where<K>, newestFirst?: boolean): Promise<ListEntry<K>[]> {
    const matches = createSearchMatcher(this.#memory.spec.getSearchTexts, search);
    const entries: ListEntry<K>[] = [];
    let startedAt = performance.now();
    for (const entry of this.#findMatching(where, newestFirst)) {
      if (matches(entry.json)) entries.push(entry);
      if (performance.now() - startedAt < MAX_UNINTERRUPTED_WORK_MS) continue;
      await yieldToOtherWork();
      startedAt = performance.now();
    }
    return entries.filter(({ isDeleted }) => !isDeleted);
  }

  async *scan({ where, newestFirst }: { where?: Where<K>; newestFirst?: boolean } = {}) {
    const matches = createMatcher(where);
    let scannedCount = 0;
    for (const entry of this.#findMatching(where, newestFirst)) {
      // Tests the record again, since it may have been changed or deleted since the search.
      if (!entry.isDeleted && matches(entry.keys)) yield parseRecord<T>(entry);
      if (++scannedCount % MAX_RECORDS_PER_BATCH === 0) await yieldToOtherWork();
    }
  }
}

const parseRecord = <T>({ json }: ListEntry<unknown>) => JSON.parse(json) as T;

const yieldToOtherWork = () => new Promise((resolve) => setImmediate(resolve));

/** Returns a function that tells whether a record, given as JSON, has a text that contains the search text. */
function createSearchMatcher<T>(
  getTexts: (record: T) => string[],
  search: string,
): (json: string) => boolean {
  const searchText = toSearchText(search);
  const matches = (json: string) =>
    getTexts(JSON.parse(json) as T).some((text) => toSearchText(text).includes(searchText));
  if (!searchText.isWellFormed()) return matches;
  const unescapedPart = findLongestPart(searchText.split(ESCAPED_PATTERN));
  return (json) => toSearchText(json).includes(unescapedPart) && matches(json);
}

/** Matches the characters that JSON escapes, even in JSON that is stored as a string within JSON. */
const ESCAPED_PATTERN = /["\\\p{Cc}]/u;

const findLongestPart = (parts: readonly string[]) =>
  parts.reduce((one, other) => (other.length > one.length ? other : one), "");
