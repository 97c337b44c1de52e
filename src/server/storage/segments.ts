/**
 * The files of one kind of records: numbered segments, a few of them kept parsed in memory, and
 * `segments.json`, which says which numbers there have to be, so that a lost segment is noticed
 * wherever it was. It names a segment only once that one is on the disk, and stops naming one before
 * its file is removed.
 */
import { join } from "node:path";
import * as v from "valibot";
import { cannotStore } from "../shared/errors.ts";
import { type DataFolder, reasonOf } from "./dataFolder.ts";
import { ensureFolder, ifThere, listIfThere, syncPath } from "./disk.ts";
import type { RecordsSpec } from "./entitySpecs.ts";
import type { Format } from "./envelope.ts";
import { type FilePlace, JsonFile } from "./jsonFile.ts";
import { missing, openFile, openOrCreate } from "./recovery.ts";
import { SegmentIndex } from "./segmentIndex.ts";

const KEPT_PARSED = 8;

const listSchema = v.object({
  first: v.number(),
  last: v.number(),
  /** By segment, the revision that it has at least: an older one was put back by somebody. */
  revisions: v.record(v.string(), v.number()),
});
type List = v.InferOutput<typeof listSchema>;

/** The file that lists the segments beside it. */
export const LIST = "segments.json";

/** How the list of an entity's segments is read. */
export const listFormat = (name: string): Format<List> => ({
  entity: `${name}/segments`,
  place: `${name}/segments`,
  version: 2,
  schema: listSchema,
  migrations: { 1: (list) => ({ ...(list as object), revisions: {} }) },
});

export const segmentFile = (number: number) => `${nameOf(number)}.json`;

export class Segments<T extends { id: string }, K> {
  readonly index: SegmentIndex<T, K>;
  readonly #directory: string;
  #list!: JsonFile<List>;
  readonly #revisions = new Map<number, number>();
  /** Copies kept aside at the start (damaged, before a migration), by segment. */
  readonly #copies = new Map<number, string[]>();
  /** The most recently used last. */
  readonly #parsed = new Map<number, Promise<JsonFile<T[]>>>();
  #pinned: number | undefined;

  private constructor(
    readonly folder: DataFolder,
    readonly spec: RecordsSpec<T, K>,
  ) {
    this.index = new SegmentIndex(spec);
    this.#directory = join(folder.directory, spec.name);
  }

  /**
   * Reads every segment into the index. `expected`: they were stored before, so a missing file is a
   * loss. Throws `cannot_open`.
   */
  static async open<T extends { id: string }, K>(
    folder: DataFolder,
    spec: RecordsSpec<T, K>,
    expected: boolean,
  ): Promise<Segments<T, K>> {
    const segments = new Segments(folder, spec);
    await ensureFolder(folder.disk, segments.#directory);
    const stored = await segments.#storedNumbers();
    if (!expected && stored.length === 0) {
      await segments.#create(1);
      stored.push(1);
    }
    await segments.#openList(expected, stored);
    await segments.#readAll(stored);
    await segments.#noteCopies();
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

  async #readAll(stored: number[]): Promise<void> {
    const { first, last: named } = this.#list.envelope.value;
    const last = Math.max(named, ...stored);
    let firstFilled: number | undefined;
    for (let number = first; number <= last; number++) {
      const { envelope, size } = await this.#open(number);
      const records = envelope.value;
      this.#revisions.set(number, envelope.revision);
      if (records.length > 0) firstFilled ??= number;
      if (firstFilled !== undefined || number === last)
        this.index.replace(number, [], records, size);
    }
    const filled = firstFilled ?? last;
    if (filled !== first || last !== named) await this.#saveList(filled, last);
    await this.#remove(stored.filter((number) => number < filled));
  }

  async #open(number: number): Promise<JsonFile<T[]>> {
    const place = this.#place(number);
    const { directory } = this.folder;
    const file = await openFile(place, {
      expected: true,
      // The checksum tells as much, and reading each copy would double the time of a start.
      compares: false,
      atLeast: this.#list.envelope.value.revisions[number] ?? 0,
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
  }

  /** Says in the list which revisions there are, so that an older file put back is noticed. */
  async close(): Promise<void> {
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
        const number = Number(/^(\d{6,})\.(v\d+\.json|json\.bad-.*)$/.exec(name)?.[1]);
        if (!number) continue;
        this.#copies.set(number, [...(this.#copies.get(number) ?? []), join(folder, name)]);
      }
    }
  }

  /** Makes the next empty segment; returns its number. Throws `cannot_store`. */
  async add(): Promise<number> {
    const number = this.index.last + 1;
    await this.#create(number);
    this.#revisions.set(number, 1);
    await this.#saveList(this.#list.envelope.value.first, number);
    this.index.replace(number, [], [], 0);
    return number;
  }

  /**
   * For a write. Stays in memory until the next one is requested, so readers never see it half
   * done.
   */
  async forWriting(number: number): Promise<JsonFile<T[]>> {
    this.#pinned = number;
    return this.#cached(number);
  }

  isReadable(number: number): Promise<boolean> {
    return this.#cached(number).then(
      () => true,
      () => false,
    );
  }

  /** Throws `cannot_store`. */
  async records(number: number): Promise<readonly T[]> {
    return (await this.#cached(number)).envelope.value;
  }

  /** Like `records`, but doesn't push other segments out of memory. */
  async recordsOnce(number: number): Promise<readonly T[]> {
    return (await (this.#parsed.get(number) ?? this.#read(number))).envelope.value;
  }

  #cached(number: number): Promise<JsonFile<T[]>> {
    const file = this.#parsed.get(number) ?? this.#read(number);
    this.#parsed.delete(number);
    this.#parsed.set(number, file);
    file.catch(() => this.#parsed.delete(number));
    for (const oldest of this.#parsed.keys()) {
      if (this.#parsed.size <= KEPT_PARSED) break;
      if (oldest !== this.#pinned) this.#parsed.delete(oldest);
    }
    return file;
  }

  async #read(number: number): Promise<JsonFile<T[]>> {
    const place = this.#place(number);
    try {
      const file = await JsonFile.read(place);
      if (!file) throw new Error("is missing");
      return file;
    } catch (error) {
      const reason = reasonOf(error);
      this.folder.log(
        `storage: reading ${place.path} failed (${reason}); a new start tries its .bak`,
      );
      throw cannotStore("The stored records couldn't be read. Try again in a few minutes.", error);
    }
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

const nameOf = (number: number) => String(number).padStart(6, "0");
