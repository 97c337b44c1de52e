/** A record list in a data folder: reads use memory, changes go through the journal, and checkpoints write the files. */
import { toSearchText } from "../../../schema/core/boundedUnicode.ts";
import type { CommitLog, StagedCommit, Stageable } from "./commits.ts";
import type { RecordsSpec } from "../entitySpecs.ts";
import type { RecordWrite } from "./journalLines.ts";
import { StagedList } from "./stagedList.ts";
import { ListFiles } from "./listFiles.ts";
import type { PendingWrite, DataFolder } from "./dataFolder.ts";
import { type ListEntry, ListMemory } from "./listMemory.ts";
import type { FacetGroup, Page, PageRequest, Records } from "../store.ts";
import { createMatcher, type Where } from "../where.ts";

/** Changes of many records are split into batches of this size, so they don't block other changes for long. */
const MAX_RECORDS_PER_CHANGE = 200;
/** How long a search examines records before it yields to other work. */
const MAX_TURN_MS = 10;

export class StoredList<T extends { id: string }, K> implements Records<T, K>, Stageable {
  readonly #memory: ListMemory<T, K>;

  private constructor(
    readonly files: ListFiles<T, K>,
    readonly commits: CommitLog,
  ) {
    this.#memory = files.memory;
  }

  /** `isExpected`: the list was stored before, so a missing file is a loss. Throws `cannot_open`. */
  static async open<T extends { id: string }, K>(
    folder: DataFolder,
    spec: RecordsSpec<T, K>,
    { isExpected, commits }: { readonly isExpected: boolean; readonly commits: CommitLog },
  ): Promise<StoredList<T, K>> {
    const memory = new ListMemory<T, K>(spec);
    return new StoredList(await ListFiles.open(folder, memory, isExpected), commits);
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

  capture(seq: number): PendingWrite {
    return this.files.capture(seq);
  }

  stage(commit: StagedCommit): StagedList<T, K> {
    return new StagedList(this.#memory, commit);
  }

  #change<R>(change: (staged: StagedList<T, K>) => Promise<R>): Promise<R> {
    return this.commits.run((commit) => change(commit.getStagedState(this)));
  }

  insert(record: T): Promise<T> {
    return this.#change((staged) => staged.insert(record));
  }

  upsert(unique: string, change: (existing: T | undefined) => T): Promise<T> {
    return this.#change((staged) => staged.upsert(unique, change));
  }

  updateUnique(unique: string, change: (record: T) => T): Promise<void> {
    return this.#change((staged) => staged.updateUnique(unique, change));
  }

  update(id: string, change: (record: T) => T): Promise<T | undefined> {
    return this.#change((staged) => staged.update(id, change));
  }

  delete(id: string): Promise<T | undefined> {
    return this.#change((staged) => staged.delete(id));
  }

  updateWhere(where: Where<K>, change: (record: T) => T): Promise<number> {
    return this.#forEachMatch(where, (staged, ids) => staged.updateWhere(where, change, ids));
  }

  deleteWhere(where: Where<K>): Promise<number> {
    return this.#forEachMatch(where, (staged, ids) => staged.deleteWhere(where, ids));
  }

  /** Changes matching records in batches. Returns the number of changed records. */
  async #forEachMatch(
    where: Where<K>,
    work: (staged: StagedList<T, K>, ids: readonly string[]) => Promise<number>,
  ): Promise<number> {
    // Exclusively, so changes which are being stored now are searched too.
    const ids = await this.commits.runExclusively(async () =>
      this.#findMatching(where).map(({ id }) => id),
    );
    let count = 0;
    for (let at = 0; at < ids.length; at += MAX_RECORDS_PER_CHANGE)
      count += await this.#change((staged) =>
        work(staged, ids.slice(at, at + MAX_RECORDS_PER_CHANGE)),
      );
    return count;
  }

  #findMatching(where: Where<K> | undefined, newestFirst?: boolean): ListEntry<K>[] {
    return this.#memory.findMatching(where, { newestFirst }).entries;
  }

  async count(where?: Where<K>): Promise<number> {
    return this.#memory.findMatching(where, { limit: 0 }).total;
  }

  async countGroups(): Promise<FacetGroup<K>[]> {
    return this.#memory.countGroups();
  }

  async measureBytes(): Promise<number> {
    return this.#memory.size;
  }

  async keys(where?: Where<K>): Promise<readonly K[]> {
    return this.#findMatching(where).map(({ key }) => key);
  }

  async get(id: string): Promise<T | undefined> {
    const entry = this.#memory.find(id);
    return entry && parseRecord<T>(entry);
  }

  async findUnique(unique: string): Promise<T | undefined> {
    const entry = this.#memory.findUnique(unique);
    return entry && parseRecord<T>(entry);
  }

  async readPage({ where, search, newestFirst, offset, limit }: PageRequest<K>): Promise<Page<T>> {
    if (!search) {
      const cut = { newestFirst, offset, limit };
      const { entries, total } = this.#memory.findMatching(where, cut);
      return { items: entries.map(parseRecord<T>), total };
    }
    const entries = await this.#search(search, where, newestFirst);
    return {
      items: entries.slice(offset, offset + limit).map(parseRecord<T>),
      total: entries.length,
    };
  }

  async #search(search: string, where?: Where<K>, newestFirst?: boolean): Promise<ListEntry<K>[]> {
    const matches = createSearch(this.#memory.spec.searchTexts, search);
    const entries: ListEntry<K>[] = [];
    let startedAt = performance.now();
    for (const entry of this.#findMatching(where, newestFirst)) {
      if (matches(entry.text)) entries.push(entry);
      if (performance.now() - startedAt < MAX_TURN_MS) continue;
      await yieldToOtherWork();
      startedAt = performance.now();
    }
    return entries.filter(({ isDeleted }) => !isDeleted);
  }

  async *scan({ where, newestFirst }: { where?: Where<K>; newestFirst?: boolean } = {}) {
    const matches = createMatcher(where);
    let checked = 0;
    for (const entry of this.#findMatching(where, newestFirst)) {
      // The record may have been changed or deleted since the search.
      if (!entry.isDeleted && matches(entry.key)) yield parseRecord<T>(entry);
      if (++checked % MAX_RECORDS_PER_CHANGE === 0) await yieldToOtherWork();
    }
  }
}

const parseRecord = <T>({ text }: ListEntry<unknown>) => JSON.parse(text) as T;

const yieldToOtherWork = () => new Promise((resolve) => setImmediate(resolve));

/** Returns a search in records' JSON. `texts` returns a record's searchable texts. */
function createSearch<T>(
  texts: (record: T) => string[],
  search: string,
): (stored: string) => boolean {
  const wanted = toSearchText(search);
  const matches = (stored: string) =>
    texts(JSON.parse(stored) as T).some((text) => toSearchText(text).includes(wanted));
  if (!wanted.isWellFormed()) return matches;
  const unescaped = findLongestPart(wanted.split(ESCAPED_PATTERN));
  return (stored) => toSearchText(stored).includes(unescaped) && matches(stored);
}

/** Characters that JSON escapes, including those that JSON within JSON adds. */
const ESCAPED_PATTERN = /["\\\p{Cc}]/u;

const findLongestPart = (parts: readonly string[]) =>
  parts.reduce((one, other) => (other.length > one.length ? other : one), "");
