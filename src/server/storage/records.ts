/** A list without end, in segments: the index finds the segment, a change rewrites that one only. */
import { type Change, GroupCommit } from "./groupCommit.ts";
import type { SegmentFiles } from "./segmentFiles.ts";
import type { Place, SegmentIndex } from "./segmentIndex.ts";
import { isFull, SegmentStage } from "./segmentStage.ts";
import type { RecordsSpec } from "./entitySpecs.ts";
import type { Page, PageRequest, Records } from "./store.ts";

// A pause between two of many segments: for other work, and for what was read to be collected.

const SEGMENTS_PER_COLLECTION = 128;

/**
 * The runtime sees the bytes of files too late to collect them by itself, so a long run over
 * segments asks for it; each time takes some 40 ms with 100,000 records in memory.
 */
async function giveWay(read: number): Promise<void> {
  if (read % SEGMENTS_PER_COLLECTION === 0) Bun.gc(true);
  await new Promise((resolve) => setImmediate(resolve));
}

// The changes that records know, each bound to the one segment it belongs to.

/** Where to look for a record: the index, or the stage with what is not yet written. */
type Lookup<T extends { id: string }, K> = SegmentIndex<T, K> | SegmentStage<T, K>;

interface RecordChange<T extends { id: string }, K, R> extends Change<SegmentStage<T, K>, R> {
  /** The segment to write; undefined: the one that takes inserts. */
  home(lookup: Lookup<T, K>): number | undefined;
}

function bound<T extends { id: string }, K, R>(
  home: RecordChange<T, K, R>["home"],
  apply: (stage: SegmentStage<T, K>) => R,
): RecordChange<T, K, R> {
  const joins = (stage: SegmentStage<T, K>) => {
    const number = home(stage);
    return number === undefined ? stage.takesInserts : number === stage.number;
  };
  return { home, apply, joins };
}

function insertion<T extends { id: string }, K>(record: T): RecordChange<T, K, T> {
  return bound(
    () => undefined,
    (stage) => stage.add(record),
  );
}

function upsertion<T extends { id: string }, K>(
  unique: string,
  change: (existing: T | undefined) => T,
): RecordChange<T, K, T> {
  return bound(
    (lookup) => lookup.segmentOfUnique(unique),
    (stage) => {
      const existing = stage.findUnique(unique);
      const given = change(existing);
      if (existing && given === existing) return existing;
      const next = stage.canonical(given);
      if (stage.index.spec.unique?.(next) !== unique) {
        throw new Error("An upsert must keep the record's unique key.");
      }
      return existing ? stage.change(existing, next) : stage.add(next);
    },
  );
}

function alteration<T extends { id: string }, K>(
  id: string,
  change: (record: T) => T,
): RecordChange<T, K, T | undefined> {
  return bound(
    (lookup) => lookup.segmentOf(id) ?? anywhere(lookup),
    (stage) => {
      const existing = stage.find(id);
      return existing && stage.change(existing, change(existing));
    },
  );
}

function removal<T extends { id: string }, K>(id: string): RecordChange<T, K, T | undefined> {
  return bound(
    (lookup) => lookup.segmentOf(id) ?? anywhere(lookup),
    (stage) => stage.remove((record) => record.id === id)[0],
  );
}

/** Changes all matches in one segment; gives how many changed. */
function alterations<T extends { id: string }, K>(
  segment: number,
  where: (key: K) => boolean,
  change: (record: T) => T,
): RecordChange<T, K, number> {
  return bound(
    () => segment,
    (stage) => stage.changeAll((record) => where(stage.index.spec.key(record)), change),
  );
}

/** Removes from one segment; gives how many went. */
function clearance<T extends { id: string }, K>(
  segment: number,
  where: (key: K) => boolean,
): RecordChange<T, K, number> {
  return bound(
    () => segment,
    (stage) => stage.remove((record) => where(stage.index.spec.key(record))).length,
  );
}

/** A record that is nowhere is as well not found in the segment at hand. */
function anywhere<T extends { id: string }, K>(lookup: Lookup<T, K>): number {
  return "number" in lookup ? lookup.number : lookup.last;
}

export class SegmentedRecords<T extends { id: string }, K> implements Records<T, K> {
  readonly #commits: GroupCommit<SegmentStage<T, K>, RecordChange<T, K, unknown>>;

  /** `addSegment` makes the next empty segment and gives its number. */
  constructor(
    readonly spec: RecordsSpec<T, K>,
    readonly files: SegmentFiles<T>,
    readonly index: SegmentIndex<T, K>,
    readonly addSegment: () => Promise<number>,
  ) {
    this.#commits = new GroupCommit({
      begin: (first) => this.#begin(first),
      commit: (stage) => this.#commit(stage),
    });
  }

  async #begin(first: RecordChange<T, K, unknown>): Promise<SegmentStage<T, K>> {
    const number = first.home(this.index) ?? (await this.#insertable());
    const file = await this.files.forWriting(number);
    return new SegmentStage(this.index, number, file.published.value);
  }

  /** One that was damaged since the start is left as it is, and what visitors send goes on. */
  async #insertable(): Promise<number> {
    const { last } = this.index;
    const takes = !isFull(this.index.fill(last)) && (await this.files.isReadable(last));
    return takes ? last : await this.addSegment();
  }

  async #commit(stage: SegmentStage<T, K>): Promise<void> {
    const { number, before, records } = stage;
    const file = await this.files.forWriting(number);
    if (stage.deleting) await this.files.removeCopies(number);
    await file.replace({
      value: records,
      revision: file.published.revision + 1,
      savedAt: new Date().toISOString(),
      backup: stage.erasing ? "same" : "previous",
    });
    this.index.replace(number, before, records, file.adapter.size);
    this.files.folder.announce(this.spec.name);
  }

  insert(record: T): Promise<T> {
    return this.#commits.run<T>(insertion(record));
  }

  upsert(unique: string, change: (existing: T | undefined) => T): Promise<T> {
    return this.#commits.run<T>(upsertion(unique, change));
  }

  update(id: string, change: (record: T) => T): Promise<T | undefined> {
    return this.#commits.run<T | undefined>(alteration(id, change));
  }

  delete(id: string): Promise<T | undefined> {
    return this.#commits.run<T | undefined>(removal(id));
  }

  async updateWhere(where: (key: K) => boolean, change: (record: T) => T): Promise<number> {
    let changed = 0;
    for (const segment of this.index.matching(where)) {
      changed += await this.#commits.run<number>(alterations(segment, where, change));
    }
    return changed;
  }

  async deleteWhere(where: (key: K) => boolean): Promise<number> {
    let removed = 0;
    await this.#insertsUnderWay();
    for (const segment of this.index.matching(where)) {
      removed += await this.#commits.run<number>(clearance(segment, where));
    }
    return removed;
  }

  /** The index does not know these yet: a deletion that comes after them has to see them. */
  async #insertsUnderWay(): Promise<void> {
    const nothing = clearance<T, K>(this.index.last, () => false);
    // Where the last segment can't be read, no insert into it gets through either.
    await this.#commits.run<number>(nothing).catch(() => 0);
  }

  count(where?: (key: K) => boolean): number {
    return this.index.count(where);
  }

  async get(id: string): Promise<T | undefined> {
    const segment = this.index.segmentOf(id);
    if (segment === undefined) return undefined;
    return (await this.files.records(segment)).find((record) => record.id === id);
  }

  async findUnique(unique: string): Promise<T | undefined> {
    const segment = this.index.segmentOfUnique(unique);
    if (segment === undefined) return undefined;
    const records = await this.files.records(segment);
    return records.find((record) => this.spec.unique?.(record) === unique);
  }

  async page(request: PageRequest<K>): Promise<Page<T>> {
    const { places, total } = this.index.select(request);
    return { items: await this.#fetch(places), total };
  }

  /** Leaves out what was deleted since the places were found. */
  async #fetch(places: Place[]): Promise<T[]> {
    const items: T[] = [];
    for (const { segment, id } of places) {
      const records = await this.files.records(segment);
      const record = records.find((candidate) => candidate.id === id);
      if (record) items.push(record);
    }
    return items;
  }

  async *scan(
    options: { where?: (key: K) => boolean; newestFirst?: boolean } = {},
  ): AsyncIterable<T> {
    const { where, newestFirst = false } = options;
    const segments = this.index.matching(where);
    if (newestFirst) segments.reverse();
    let read = 0;
    for (const segment of segments) {
      const records = await this.files.recordsOnce(segment);
      for (const record of newestFirst ? records.toReversed() : records) {
        if (!where || where(this.spec.key(record))) yield record;
      }
      await giveWay(++read);
    }
  }

  /** Resolves when every change taken is answered. */
  close(): Promise<void> {
    return this.#commits.close();
  }
}
