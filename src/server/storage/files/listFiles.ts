/**
 * The files of a record list: numbered segments and `segments.json`. `segments.json` lists the segments that must
 * exist, with their minimum revisions, so that a lost or outdated segment is noticed. A segment is listed after its
 * file is written, and is removed from the list before its file is removed. A segment's revision is the number of its
 * last commit.
 */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { join } from "node:path";
import type { PendingWrite, DataFolder } from "./dataFolder.ts";
import { ensureFolder, ignoreMissing, listOrEmpty, syncPath } from "../disk/disk.ts";
import { type FileLocation, writeJsonFile } from "./jsonFile.ts";
import type { ListMemory } from "./listMemory.ts";
import { createMissingFileRefusal, openFile, openOrCreate } from "./recovery.ts";
import {
  SEGMENT_LIST_FILE,
  type SegmentList,
  createSegmentListFormat,
  createSegmentName,
  createSegmentFileName,
} from "../archiveEntries.ts";

export class ListFiles<T extends { id: string }, K> {
  readonly #directory: string;
  readonly #migrationsFolder: string;
  readonly #location: FileLocation<SegmentList>;
  #isListOutdated = false;
  /** The numbers of segments that became empty and whose files still exist. */
  readonly #emptiedNumbers: number[] = [];
  #segmentList!: { readonly revision: number; readonly value: SegmentList };

  private constructor(
    readonly folder: DataFolder,
    readonly memory: ListMemory<T, K>,
  ) {
    const { name } = memory.spec;
    this.#directory = join(folder.directory, name);
    this.#migrationsFolder = join(folder.directory, "migrations", name);
    this.#location = {
      folder,
      path: join(this.#directory, SEGMENT_LIST_FILE),
      format: createSegmentListFormat(name),
    };
  }

  /** Loads all records into memory. Throws `cannot_open` if `wasStored` and a file of the list is missing. */
  static async open<T extends { id: string }, K>(
    folder: DataFolder,
    memory: ListMemory<T, K>,
    wasStored: boolean,
  ): Promise<ListFiles<T, K>> {
    const files = new ListFiles(folder, memory);
    await ensureFolder(folder.disk, files.#directory);
    const storedNumbers = await files.#findStoredNumbers();
    if (!wasStored && storedNumbers.length === 0) {
      const savedAt = new Date().toISOString();
      await writeJsonFile(files.#getSegmentLocation(1), { revision: 1, savedAt, value: [] });
      storedNumbers.push(1);
    }
    const createInitialList = () => ({
      first: storedNumbers[0] ?? 1,
      last: storedNumbers.at(-1) ?? 1,
      revisions: {},
    });
    const list = await openOrCreate(files.#location, wasStored, createInitialList);
    files.#segmentList = list.envelope;
    const { first, last } = list.envelope.value;
    for (let number = first; number <= Math.max(last, ...storedNumbers); number++)
      await files.#loadSegment(number, wasStored && number <= last);
    await files.#removeSegments(storedNumbers.filter((number) => number < first));
    return files;
  }

  /** Returns the numbers of the stored segments, ascending, even of segments with only a `.bak`. */
  async #findStoredNumbers(): Promise<number[]> {
    const names = await listOrEmpty(this.folder.disk, this.#directory);
    const numbers = names.flatMap((name) => /^(\d{6,})\.json(\.bak)?$/.exec(name)?.[1] ?? []);
    return [...new Set(numbers.map(Number))].toSorted((one, other) => one - other);
  }

  /** Loads a segment's records into memory. Throws `cannot_open` if the segment is lost or unreadable. */
  async #loadSegment(number: number, wasStored: boolean): Promise<void> {
    const location = this.#getSegmentLocation(number);
    const { folder, path } = location;
    const file = await openFile(location, {
      wasStored,
      // Only the doctor compares copies. For a start, checksums are enough: reading the copies would double the time.
      shouldCompareCopy: folder.onDamage !== undefined,
      minRevision: this.#segmentList.value.revisions[number] ?? 0,
      createMigrationCopyPath: (version) =>
        join(this.#migrationsFolder, `${createSegmentName(number)}.v${version}.json`),
    });
    if (!file) throw createMissingFileRefusal(path);
    const segment = this.memory.loadRecords(number, file.envelope.revision, file.envelope.value);
    segment.isChanged = file.version !== this.memory.spec.version;
  }

  #getSegmentLocation(number: number): FileLocation<T[]> {
    const path = join(this.#directory, createSegmentFileName(number));
    return { folder: this.folder, path, format: this.memory.spec.createSegmentFormat(number) };
  }

  /** The number of the last commit that is in any of the segment files. */
  get seq(): number {
    return Math.max(...this.memory.segments.map(({ writtenSeq }) => writtenSeq));
  }

  get isWritten(): boolean {
    return !this.#isListOutdated && this.memory.segments.every(({ isChanged }) => !isChanged);
  }

  /** Captures the content of the changed segments, which have all commits up to `seq`. */
  captureContent(seq: number): PendingWrite {
    this.#emptiedNumbers.push(...this.memory.dropEmptySegments());
    const changedSegments = this.memory.segments.filter(({ isChanged }) => isChanged);
    const contents = changedSegments.map((segment) => {
      const { hasErasedData, entries } = segment;
      segment.isChanged = segment.hasErasedData = false;
      return { segment, hasErasedData, recordTexts: entries.map(({ json }) => json) };
    });
    const { number: first } = assertDefined(this.memory.segments[0], "segment");
    const { number: last } = this.memory.lastSegment;
    return {
      write: async () => {
        for (const { segment, hasErasedData, recordTexts } of contents) {
          // Copies left by damage and migrations may still have the erased data, so they are removed.
          if (hasErasedData) await this.#removeCopies(segment.number);
          const savedAt = new Date().toISOString();
          const content = { revision: seq, savedAt, json: `[${recordTexts.join(",")}]` };
          const canUseReserve = this.memory.spec.isNeededOnFullDisk || hasErasedData;
          await writeJsonFile(this.#getSegmentLocation(segment.number), content, { canUseReserve });
          segment.writtenSeq = seq;
        }
        await this.#saveList(first, last);
        await this.#removeSegments(this.#emptiedNumbers);
        this.#emptiedNumbers.length = 0;
      },
      discard: () => {
        for (const { segment, hasErasedData } of contents) {
          segment.isChanged ||= segment.writtenSeq !== seq;
          segment.hasErasedData ||= hasErasedData;
        }
        this.#isListOutdated = true;
      },
    };
  }

  /** Writes `segments.json` and its `.bak`. An older `.bak` could list segments that were removed. */
  async #saveList(first: number, last: number): Promise<void> {
    const revision = this.#segmentList.revision + 1;
    const listedSegments = this.memory.segments.filter(
      ({ number }) => number >= first && number <= last,
    );
    const revisions = Object.fromEntries(
      listedSegments.map(({ number, writtenSeq }) => [number, writtenSeq]),
    );
    const value = { first, last, revisions };
    await writeJsonFile(this.#location, { revision, savedAt: new Date().toISOString(), value });
    this.#segmentList = { revision, value };
    this.#isListOutdated = false;
  }

  async #removeSegments(numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    const { disk } = this.folder;
    for (const number of numbers) {
      const { path } = this.#getSegmentLocation(number);
      await ignoreMissing(disk.remove(path));
      await ignoreMissing(disk.remove(`${path}.bak`));
      await this.#removeCopies(number);
    }
    await syncPath(disk, this.#directory);
  }

  async #removeCopies(number: number): Promise<void> {
    const { disk } = this.folder;
    const isCopy = (name: string) =>
      Number(/^(\d{6,})\.(v\d+\.json|jsonl?(?:\.bak)?\.bad-.*)$/.exec(name)?.[1]) === number;
    for (const folder of [this.#directory, this.#migrationsFolder])
      for (const name of (await listOrEmpty(disk, folder)).filter(isCopy))
        await ignoreMissing(disk.remove(join(folder, name)));
  }
}
