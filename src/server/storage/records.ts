/** A list without end, in segments: the index finds the segment, a change rewrites that one only. */
import type { DataFolder } from "./dataFolder.ts";
import type { RecordsSpec } from "./entitySpecs.ts";
import { type Change, GroupCommit } from "./groupCommit.ts";
import type { Place, SegmentIndex } from "./segmentIndex.ts";
import { Segments } from "./segments.ts";
import { isFull, SegmentStage } from "./segmentStage.ts";
import type { Page, PageRequest, Records } from "./store.ts";

/** `expected`: the records were stored before, so a missing file is a loss. Throws `cannot_open`. */
export async function openRecords<T extends { id: string }, K>(
  folder: DataFolder,
  spec: RecordsSpec<T, K>,
  expected: boolean,
): Promise<SegmentedRecords<T, K>> {
  return new SegmentedRecords(await Segments.open(folder, spec, expected));
}

/**
 * The segment that a change belongs to, looked up in the index, or in a stage with what is not yet
 * written; undefined: the one that takes inserts.
 */
type Home<T extends { id: string }, K> = (
  lookup: SegmentIndex<T, K> | SegmentStage<T, K>,
) => number | undefined;

interface RecordChange<T extends { id: string }, K, R> extends Change<SegmentStage<T, K>, R> {
  home: Home<T, K>;
}

export class SegmentedRecords<T extends { id: string }, K> implements Records<T, K> {
  readonly #segments: Segments<T, K>;
  readonly #commits: GroupCommit<SegmentStage<T, K>, RecordChange<T, K, unknown>>;

  constructor(segments: Segments<T, K>) {
    this.#segments = segments;
    this.#commits = new GroupCommit({
      begin: ({ home }) => this.#begin(home),
      commit: (stage) => this.#commit(stage),
    });
  }

  insert(record: T): Promise<T> {
    return this.#change(
      () => undefined,
      (stage) => stage.add(record),
    );
  }

  upsert(unique: string, change: (existing: T | undefined) => T): Promise<T> {
    return this.#change(
      (lookup) => lookup.segmentOfUnique(unique),
      (stage) => stage.upsert(unique, change),
    );
  }

  updateUnique(unique: string, change: (record: T) => T): Promise<void> {
    return this.#change(
      (lookup) => lookup.segmentOfUnique(unique),
      (stage) => stage.changeUnique(unique, change),
    );
  }

  update(id: string, change: (record: T) => T): Promise<T | undefined> {
    return this.#change(homeOf(id), (stage) => {
      const existing = stage.find(id);
      return existing && stage.change(existing, change(existing));
    });
  }

  delete(id: string): Promise<T | undefined> {
    return this.#change(homeOf(id), (stage) => stage.remove((record) => record.id === id)[0]);
  }

  async updateWhere(where: (key: K) => boolean, change: (record: T) => T): Promise<number> {
    let changed = 0;
    for (const segment of this.#index.matching(where)) {
      changed += await this.#change(
        () => segment,
        (stage) => stage.changeAll(this.#matches(where), change),
      );
    }
    return changed;
  }

  async deleteWhere(where: (key: K) => boolean): Promise<number> {
    let removed = 0;
    await this.#insertsUnderWay();
    for (const segment of this.#index.matching(where)) {
      removed += await this.#change(
        () => segment,
        (stage) => stage.remove(this.#matches(where)).length,
      );
    }
    return removed;
  }

  /** These aren't in the index yet, and a deletion that comes after them must see them. */
  async #insertsUnderWay(): Promise<void> {
    const { last } = this.#index;
    const nothing = this.#change(
      () => last,
      () => undefined,
    );
    // If the last segment can't be read, no insert into it succeeds either.
    await nothing.catch(() => undefined);
  }

  #matches(where: (key: K) => boolean): (record: T) => boolean {
    const { key } = this.#segments.spec;
    return (record) => where(key(record));
  }

  /** Shares a write with other changes to the same segment; resolves once it is on the disk. */
  #change<R>(home: Home<T, K>, apply: (stage: SegmentStage<T, K>) => R): Promise<R> {
    const joins = (stage: SegmentStage<T, K>) => {
      const segment = home(stage);
      return segment === undefined ? stage.takesInserts : segment === stage.number;
    };
    return this.#commits.run<R>({ home, joins, apply });
  }

  async #begin(home: Home<T, K>): Promise<SegmentStage<T, K>> {
    const number = home(this.#index) ?? (await this.#insertable());
    const file = await this.#segments.forWriting(number);
    return new SegmentStage(this.#index, number, file.envelope.value);
  }

  /** A segment damaged since the start is left alone: what visitors send goes into a new one. */
  async #insertable(): Promise<number> {
    const { last } = this.#index;
    const takes = !isFull(this.#index.fill(last)) && (await this.#segments.isReadable(last));
    return takes ? last : await this.#segments.add();
  }

  async #commit({ number, before, records, erasing, deleting }: SegmentStage<T, K>): Promise<void> {
    const file = await this.#segments.forWriting(number);
    if (deleting) await this.#segments.removeCopies(number);
    const revision = file.envelope.revision + 1;
    const next = { revision, savedAt: new Date().toISOString(), value: records };
    // Nothing that visitors send, even where no copy of what was before may stay.
    await file.replace(
      next,
      { backup: erasing ? "same" : "copy" },
      deleting || this.#segments.spec.needed,
    );
    this.#index.replace(number, before, records, file.size);
    this.#segments.written(number, revision);
    this.#segments.folder.announce(this.#segments.spec.name);
  }

  get #index(): SegmentIndex<T, K> {
    return this.#segments.index;
  }

  count(where?: (key: K) => boolean): number {
    return this.#index.count(where);
  }

  bytes(): number {
    return this.#index.bytes;
  }

  has(id: string): boolean {
    return this.#index.segmentOf(id) !== undefined;
  }

  async get(id: string): Promise<T | undefined> {
    const segment = this.#index.segmentOf(id);
    if (segment === undefined) return undefined;
    return (await this.#segments.records(segment)).find((record) => record.id === id);
  }

  async findUnique(unique: string): Promise<T | undefined> {
    const segment = this.#index.segmentOfUnique(unique);
    if (segment === undefined) return undefined;
    const records = await this.#segments.records(segment);
    return records.find((record) => this.#segments.spec.unique?.(record) === unique);
  }

  async page(request: PageRequest<K>): Promise<Page<T>> {
    const { places, total } = this.#index.select(request);
    return { items: await this.#fetch(places), total };
  }

  /** Skips what has been deleted since the positions were found. */
  async #fetch(places: Place[]): Promise<T[]> {
    const items: T[] = [];
    for (const { segment, id } of places) {
      const records = await this.#segments.records(segment);
      const record = records.find((candidate) => candidate.id === id);
      if (record) items.push(record);
    }
    return items;
  }

  async *scan(
    options: { where?: (key: K) => boolean; newestFirst?: boolean } = {},
  ): AsyncIterable<T> {
    const { where, newestFirst = false } = options;
    const matches = where ? this.#matches(where) : () => true;
    const segments = this.#index.matching(where);
    if (newestFirst) segments.reverse();
    for (const [at, segment] of segments.entries()) {
      const records = await this.#segments.recordsOnce(segment);
      for (const record of newestFirst ? records.toReversed() : records)
        if (matches(record)) yield record;
      await giveWay(at + 1);
    }
  }

  /** Resolves when every change taken is settled. */
  async close(): Promise<void> {
    await this.#commits.close();
    await this.#segments.close();
  }
}

/** The segment of a record with this id; one that is nowhere is as well not found at hand. */
function homeOf<T extends { id: string }, K>(id: string): Home<T, K> {
  return (lookup) => lookup.segmentOf(id) ?? ("number" in lookup ? lookup.number : lookup.last);
}

const SEGMENTS_PER_COLLECTION = 128;

/**
 * A pause between two of many segments: for other work, and for what was read to be collected. The
 * runtime sees the bytes of files too late to collect them by itself, so a long run over segments
 * asks for it; each time takes some 40 ms with 100,000 records in memory.
 */
async function giveWay(read: number): Promise<void> {
  if (read % SEGMENTS_PER_COLLECTION === 0) Bun.gc(true);
  await new Promise((resolve) => setImmediate(resolve));
}
