/**
 * The files of one kind of records: numbered segments, a few of them kept parsed in memory, and
 * `segments.json`, which says which numbers there have to be, so that a lost segment is noticed
 * wherever it was. It names a segment only once that one is on the disk, and stops naming one before
 * its file is removed.
 *
 * A start reads the segments whose files were touched since the last one; of all others it knows the
 * outlines. Those are read soon after it, newest first, and each is looked at as a start would.
 */
import { join } from "node:path";
import { cannotStore } from "../shared/errors.ts";
import type { DataFolder } from "./dataFolder.ts";
import { ensureFolder, ifThere, listIfThere, syncPath } from "./disk.ts";
import type { RecordsSpec } from "./entitySpecs.ts";
import { decodeSealed } from "./envelope.ts";
import { type FilePlace, JsonFile } from "./jsonFile.ts";
import { hasLog } from "./lineLog.ts";
import { missing, openFile, openOrCreate } from "./recovery.ts";
import { LaterReading } from "./laterReading.ts";
import { ParsedSegments } from "./parsedSegments.ts";
import { SegmentIndex } from "./segmentIndex.ts";
import { LIST, type List, listFormat, nameOf, segmentFile } from "./segmentList.ts";
import { type KeptOutline, OutlineKeeper } from "./segmentOutlines.ts";
import { SegmentTexts } from "./segmentTexts.ts";

export class Segments<T extends { id: string }, K> {
  readonly index: SegmentIndex<T, K>;
  readonly texts: SegmentTexts<T>;
  readonly parsed: ParsedSegments<T>;
  readonly #directory: string;
  readonly #isExpected: boolean;
  #list!: JsonFile<List>;
  readonly #revisions = new Map<number, number>();
  /** Copies kept aside at the start (damaged, before a migration), by segment. */
  readonly #copies = new Map<number, string[]>();
  /** Segments that were found damaged, both files, after the start: they are in no index. */
  readonly #lost = new Set<number>();
  /** Of segments of which the start knew the outline: their checksums, and what it takes to search in them. */
  readonly #later = new LaterReading((number) => this.#readLater(number));
  readonly #outlines: OutlineKeeper<T, K>;

  private constructor(
    readonly folder: DataFolder,
    readonly spec: RecordsSpec<T, K>,
    expected: boolean,
  ) {
    this.#isExpected = expected;
    this.index = new SegmentIndex(spec);
    this.texts = new SegmentTexts(spec.texts);
    this.parsed = new ParsedSegments((number) => this.#place(number));
    this.#outlines = new OutlineKeeper(folder, spec, {
      numbers: () => this.#revisions.keys(),
      outline: (number) => (this.#lost.has(number) ? undefined : this.index.outline(number)),
      revision: (number) => this.#revisions.get(number),
      isBeingWritten: (number) => this.parsed.isPinned(number),
      path: (number) => this.#place(number).path,
    });
    this.#directory = join(folder.directory, spec.name);
  }

  /**
   * Every segment is in the index afterwards, or its outline is. `expected`: they were stored before, so
   * a missing file is a loss. Throws `cannot_open`.
   */
  static async open<T extends { id: string }, K>(
    folder: DataFolder,
    spec: RecordsSpec<T, K>,
    expected: boolean,
  ): Promise<Segments<T, K>> {
    const segments = new Segments(folder, spec, expected);
    await ensureFolder(folder.disk, segments.#directory);
    const stored = await segments.#storedNumbers();
    if (!expected && stored.length === 0) {
      await segments.#create(1);
      stored.push(1);
    }
    await segments.#openList(expected, stored);
    await segments.#readTouched(stored);
    await segments.#noteCopies();
    segments.#later.leave(segments.index.unread());
    return segments;
  }

  /** Ascending; a segment counts when its `.bak` alone is there. */
  async #storedNumbers(): Promise<number[]> {
    const names = await listIfThere(this.folder.disk, this.#directory);
    const numbers = names.flatMap((name) => /^(\d{6,})\.json(\.bak)?$/.exec(name)?.[1] ?? []);
    return [...new Set(numbers.map(Number))].sort((one, other) => one - other);
  }

  async #create(number: number): Promise<void> {
    const empty = { revision: 1, savedAt: new Date().toISOString(), value: [] };
    await JsonFile.create(this.#place(number), empty);
  }

  async #openList(expected: boolean, stored: number[]): Promise<void> {
    const path = join(this.#directory, LIST);
    const place = { folder: this.folder, path, format: listFormat(this.spec.name) };
    const found = () => ({ first: stored[0] ?? 1, last: stored.at(-1) ?? 1, revisions: {} });
    this.#list = await openOrCreate(place, expected, found);
  }

  async #readTouched(stored: number[]): Promise<void> {
    const { first, last: named } = this.#list.envelope.value;
    const last = Math.max(named, ...stored);
    const untouched = await this.#outlines.untouched();
    let firstFilled: number | undefined;
    for (let number = first; number <= last; number++) {
      const isFollowed = hasLog(this.folder, this.#place(number).path);
      const known = isFollowed ? undefined : this.#ifNewEnough(number, untouched.get(number));
      const content = known ? undefined : await this.#load(number);
      const count = content?.records.length ?? known!.outline.groups.length;
      this.#revisions.set(number, (content ?? known!).revision);
      if (count > 0) firstFilled ??= number;
      if (firstFilled === undefined && number !== last) continue;
      if (known) this.index.know(number, known.outline);
      else this.#take(number, content!);
    }
    const filled = firstFilled ?? last;
    if (filled !== first || last !== named) await this.#saveList(filled, last);
    await this.#remove(stored.filter((number) => number < filled));
    if (this.index.unread().length <= last - filled) this.#outlines.keepSoon();
  }

  #ifNewEnough(number: number, known: KeptOutline<K> | undefined): KeptOutline<K> | undefined {
    return known && known.revision >= this.#atLeast(number) ? known : undefined;
  }

  async #readLater(number: number): Promise<void> {
    if (this.index.isRead(number) || this.#lost.has(number)) return;
    try {
      const content = await this.#load(number);
      // An insert may have been quicker.
      if (!this.index.isRead(number)) this.#take(number, content);
    } catch (error) {
      this.#lost.add(number);
      this.#outlines.changed(number);
      this.folder.log(`storage: LOST ${(error as Error).message}`);
    }
  }

  #take(number: number, { records, revision, size }: Content<T>): void {
    this.#revisions.set(number, revision);
    this.index.replace(number, [], records, size);
    if (this.texts.hasRoom) this.texts.hold(number, records);
  }

  /**
   * Not all segments have been read, or not all can be, so that a change might not find what it is about.
   * Asked before `complete` is: changes happen in the order in which they come, and waiting for nothing
   * would let others pass.
   */
  get isIncomplete(): boolean {
    return this.#later.isPending || this.#lost.size > 0 || this.#later.isCutShort;
  }

  /** Resolves once all segments have been read. Throws `cannot_store` where that will never be. */
  async complete(): Promise<void> {
    await this.#later.finish();
    this.assertWhole();
    if (this.#later.isCutShort) throw cannotStore();
  }

  /** Reads a segment now that would be read later. Throws `cannot_store` where it can't be. */
  async readNow(number: number): Promise<void> {
    await this.#readLater(number);
    this.assertWhole();
  }

  /** While nothing is read that can be read later. */
  ahead<R>(work: () => Promise<R>): Promise<R> {
    return this.#later.paused(work);
  }

  /** Throws `cannot_store` when a segment was found damaged, and so was its copy. */
  assertWhole(): void {
    if (this.#lost.size > 0) throw cannotStore(LOST);
  }

  /** A file as it was written is not looked at field by field. Throws as `#open`. */
  async #load(number: number): Promise<Content<T>> {
    const { path, format } = this.#place(number);
    const isFollowed = hasLog(this.folder, path);
    const bytes = isFollowed ? undefined : await this.folder.disk.read(path).catch(() => undefined);
    const sealed = bytes && decodeSealed(format, bytes);
    if (sealed && sealed.revision >= this.#atLeast(number))
      return { records: sealed.value, revision: sealed.revision, size: bytes.length };
    const { envelope, size } = await this.#open(number);
    return { records: envelope.value, revision: envelope.revision, size };
  }

  #atLeast(number: number): number {
    return this.#list.envelope.value.revisions[number] ?? 0;
  }

  async #open(number: number): Promise<JsonFile<T[]>> {
    const place = this.#place(number);
    const { directory } = this.folder;
    const file = await openFile(place, {
      // One that the list doesn't name yet was being made: a kill came before its second file.
      expected: this.#isExpected && number <= this.#list.envelope.value.last,
      // The checksum tells as much, and reading each copy would double the time of a start.
      compares: false,
      atLeast: this.#atLeast(number),
      migrationCopy: (version) =>
        join(directory, "migrations", this.spec.name, `${nameOf(number)}.v${version}.json`),
    });
    if (!file) throw missing(place.path);
    return file;
  }

  /** The `.bak` gets the new range too: an older one could name segments that are gone. */
  async #saveList(first: number, last: number): Promise<void> {
    const revision = this.#list.envelope.revision + 1;
    const savedAt = new Date().toISOString();
    const there = [...this.#revisions].filter(([number]) => number >= first && number <= last);
    const value = { first, last, revisions: Object.fromEntries(there) };
    await this.#list.replace({ revision, savedAt, value }, { backup: "same" });
  }

  /** To be called once a segment is written: the list says it at the next occasion. */
  written(number: number, revision: number): void {
    this.#revisions.set(number, revision);
    this.texts.forget(number);
    this.#outlines.changed(number);
  }

  /** Says in the list which revisions there are, so that an older file put back is noticed. */
  async close(): Promise<void> {
    await this.parsed.close();
    await this.#later.close();
    await this.#outlines.close();
    const { first, last, revisions } = this.#list.envelope.value;
    const isSaid = [...this.#revisions].every(([number, at]) => revisions[number] === at);
    // It holds less than there is then, which is never wrong.
    if (!isSaid) await this.#saveList(first, last).catch(() => {});
  }

  /** Empty segments at the beginning, so that years of deletions don't slow down the start. */
  async #remove(numbers: number[]): Promise<void> {
    if (numbers.length === 0) return;
    const { disk } = this.folder;
    for (const number of numbers) {
      const { path } = this.#place(number);
      await ifThere(disk.remove(path));
      await ifThere(disk.remove(`${path}.bak`));
    }
    await syncPath(disk, this.#directory);
  }

  async #noteCopies(): Promise<void> {
    const { disk, directory } = this.folder;
    for (const folder of [this.#directory, join(directory, "migrations", this.spec.name)]) {
      for (const name of await listIfThere(disk, folder)) {
        const number = Number(/^(\d{6,})\.(v\d+\.json|jsonl?(?:\.bak)?\.bad-.*)$/.exec(name)?.[1]);
        if (!number) continue;
        this.#copies.set(number, [...(this.#copies.get(number) ?? []), join(folder, name)]);
      }
    }
  }

  /** Makes the next empty segment; returns its number. Throws `cannot_store`. */
  async add(): Promise<number> {
    const settled = await this.parsed.settle();
    if (settled) this.index.resize(settled.number, settled.size);
    const number = this.index.last + 1;
    await this.#create(number);
    this.#revisions.set(number, 1);
    await this.#saveList(this.#list.envelope.value.first, number);
    this.index.replace(number, [], [], 0);
    return number;
  }

  #place(number: number): FilePlace<T[]> {
    const path = join(this.#directory, segmentFile(number));
    return { folder: this.folder, path, format: this.spec.formatOf(number) };
  }

  /** Before records are erased: what was kept aside would keep them. */
  async removeCopies(number: number): Promise<void> {
    const copies = this.#copies.get(number);
    if (!copies) return;
    await this.folder.write(this.spec.name, async () => {
      for (const path of copies) await ifThere(this.folder.disk.remove(path));
    });
    this.#copies.delete(number);
  }
}

const LOST =
  "Some of what visitors sent can't be read: it is damaged, and so is its copy. The log names the files. Restore a backup.";

/** What a segment's file holds. */
interface Content<T> {
  readonly records: readonly T[];
  readonly revision: number;
  /** In bytes. */
  readonly size: number;
}
