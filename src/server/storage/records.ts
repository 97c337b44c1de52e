/** A list without end, in segments: the index finds the segment, a change rewrites that one only. */
import type { DataFolder } from "./dataFolder.ts";
import type { RecordsSpec } from "./entitySpecs.ts";
import { type Change, GroupCommit } from "./groupCommit.ts";
import type { Line } from "./lineLog.ts";
import { anotherTurn, type Order, searchSegments } from "./searchSegments.ts";
import type { SegmentIndex } from "./segmentIndex.ts";
import { Segments } from "./segments.ts";
import { isFull, SegmentStage } from "./segmentStage.ts";
import type { Group, Page, PageRequest, Records, Snapshot } from "./store.ts";
import { matcherOf, type Where } from "./where.ts";

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

  async insert(record: T): Promise<T> {
    // An enquiry doesn't wait for what was stored before.
    const isFree = !this.#segments.spec.unique && this.#index.isCertain(record.id);
    if (!isFree && this.#segments.isIncomplete) await this.#segments.complete();
    return this.#change(
      () => undefined,
      (stage) => stage.add(record),
    );
  }

  async upsert(unique: string, change: (existing: T | undefined) => T): Promise<T> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
    return this.#change(
      (lookup) => lookup.segmentOfUnique(unique),
      (stage) => stage.upsert(unique, change),
    );
  }

  async updateUnique(unique: string, change: (record: T) => T): Promise<void> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
    return this.#change(
      (lookup) => lookup.segmentOfUnique(unique),
      (stage) => stage.changeUnique(unique, change),
    );
  }

  async update(id: string, change: (record: T) => T): Promise<T | undefined> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
    return this.#change(homeOf(id), (stage) => {
      const existing = stage.find(id);
      return existing && stage.change(existing, change(existing));
    });
  }

  async delete(id: string): Promise<T | undefined> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
    return this.#change(homeOf(id), (stage) => stage.remove((record) => record.id === id)[0]);
  }

  async updateWhere(where: Where<K>, change: (record: T) => T): Promise<number> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
    const isMeant = matcherOf(where);
    let changed = 0;
    for (const segment of this.#index.matching(isMeant)) {
      changed += await this.#change(
        () => segment,
        (stage) => stage.changeAll(this.#matches(isMeant), change),
      );
    }
    return changed;
  }

  async deleteWhere(where: Where<K>): Promise<number> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
    const isMeant = matcherOf(where);
    let removed = 0;
    await this.#insertsUnderWay();
    for (const segment of this.#index.matching(isMeant)) {
      removed += await this.#change(
        () => segment,
        (stage) => stage.remove(this.#matches(isMeant)).length,
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

  #matches(isMeant: (key: K) => boolean): (record: T) => boolean {
    const { key } = this.#segments.spec;
    return (record) => isMeant(key(record));
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
    const file = await this.#segments.parsed.forWriting(number);
    return new SegmentStage(this.#index, number, file.envelope.value);
  }

  /** A segment damaged since the start is left alone: what visitors send goes into a new one. */
  async #insertable(): Promise<number> {
    const { last } = this.#index;
    const takes = !isFull(this.#index.fill(last)) && (await this.#segments.parsed.isReadable(last));
    return takes ? last : await this.#segments.add();
  }

  async #commit({ number, before, records, erasing, deleting }: SegmentStage<T, K>): Promise<void> {
    const file = await this.#segments.parsed.forWriting(number);
    if (deleting) await this.#segments.removeCopies(number);
    const added = erasing ? [] : records.slice(before.length);
    const revision = file.envelope.revision + Math.max(1, added.length);
    const next = { revision, savedAt: new Date().toISOString(), value: records };
    const { needed } = this.#segments.spec;
    // Nothing that visitors send, even where no copy of what was before may stay.
    if (erasing) {
      await file.replace(next, { backup: "same" }, deleting || needed);
      this.#index.replace(number, before, records, file.size);
    } else {
      await this.#segments.parsed.put(number, file, next, {
        lines: linesOf(next, added),
        needed,
      });
      if (this.#index.isRead(number)) this.#index.append(number, added, file.size);
      else this.#index.replace(number, before, records, file.size);
    }
    this.#segments.written(number, revision);
    this.#segments.folder.announce(this.#segments.spec.name);
  }

  get #index(): SegmentIndex<T, K> {
    return this.#segments.index;
  }

  count(where?: Where<K>): number {
    return this.#index.count(where);
  }

  groups(): Group<K>[] {
    return this.#index.groups();
  }

  bytes(): number {
    return this.#index.bytes;
  }

  async present(ids: Iterable<string>): Promise<ReadonlySet<string>> {
    const asked = [...ids];
    const areCertain = () => asked.every((id) => this.#index.isCertain(id));
    if (this.#segments.isIncomplete && !areCertain()) await this.#segments.complete();
    return new Set(asked.filter((id) => this.#index.segmentOf(id) !== undefined));
  }

  async keys(where?: Where<K>): Promise<readonly K[]> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
    const keys = this.#index.keys();
    return where ? keys.filter(matcherOf(where)) : keys;
  }

  async get(id: string): Promise<T | undefined> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
    const segment = this.#index.segmentOf(id);
    if (segment === undefined) return undefined;
    return (await this.#segments.parsed.records(segment)).find((record) => record.id === id);
  }

  async findUnique(unique: string): Promise<T | undefined> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
    const segment = this.#index.segmentOfUnique(unique);
    if (segment === undefined) return undefined;
    const records = await this.#segments.parsed.records(segment);
    return records.find((record) => this.#segments.spec.unique?.(record) === unique);
  }

  async page({ search, ...selection }: PageRequest<K>): Promise<Page<T>> {
    if (this.#segments.isIncomplete && this.#index.needsKeys(selection.where))
      await this.#segments.complete();
    if (search) {
      this.#segments.assertWhole();
      return searchSegments(this.#segments, search, selection);
    }
    const { pieces, total } = this.#index.select(selection);
    const items: T[] = [];
    for (const { segment, skip, take } of pieces)
      items.push(...(await this.#chosen(segment, selection)).slice(skip, skip + take));
    return { items, total };
  }

  /** Whoever finds a page here has counted on the way. */
  glance(request: PageRequest<K>): Promise<Page<T>> {
    return this.page(request);
  }

  /** The records of a segment that are meant, as they are now: one of them may just have been deleted. */
  async #chosen(segment: number, { where, newestFirst }: Order<K>): Promise<T[]> {
    const { key } = this.#segments.spec;
    const isMeant = matcherOf(where);
    const records = (await this.#segments.parsed.records(segment)).filter((record) =>
      isMeant(key(record)),
    );
    return newestFirst ? records.toReversed() : records;
  }

  async *scan(options: { where?: Where<K>; newestFirst?: boolean } = {}): AsyncIterable<T> {
    const { where, newestFirst = false } = options;
    const isMeant = where && matcherOf(where);
    const matches = isMeant ? this.#matches(isMeant) : () => true;
    if (where && this.#segments.isIncomplete) await this.#segments.complete();
    const segments = this.#index.matching(isMeant);
    if (newestFirst) segments.reverse();
    for (const [at, segment] of segments.entries()) {
      const records = await this.#segments.parsed.recordsOnce(segment);
      for (const record of newestFirst ? records.toReversed() : records)
        if (matches(record)) yield record;
      await giveWay(at + 1);
    }
  }

  /** Resolves once all records have been read. Throws as `assertWhole`. */
  async read(): Promise<void> {
    if (this.#segments.isIncomplete) await this.#segments.complete();
  }

  /** Throws `cannot_store` when records were found damaged, and so was their copy. */
  assertWhole(): void {
    this.#segments.assertWhole();
  }

  /** Resolves when every change taken is settled. */
  async close(): Promise<void> {
    await this.#commits.close();
    await this.#segments.close();
  }
}

/** Each with the revision that the segment has with it. */
const linesOf = <T>({ revision, savedAt }: Snapshot<T[]>, added: readonly T[]): Line[] =>
  added.map((item, at) => ({ revision: revision - added.length + 1 + at, savedAt, item }));

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
  await anotherTurn();
}
