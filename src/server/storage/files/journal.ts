/**
 * The journal: changes that are committed together are a line in it before memory changes and callers get results. A
 * journal is removed once the files have all its changes; another one has taken new lines since.
 */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { join } from "node:path";
import type { DataFolder } from "./dataFolder.ts";
import {
  closeQuietly,
  FsyncError,
  orUndefinedIfMissing,
  type LogHandle,
  syncHandle,
  syncPath,
} from "../disk/disk.ts";
import { encodeLine, type JournalLine } from "./journalLines.ts";

export const journalFileName = (number: number) =>
  `journal-${String(number).padStart(6, "0")}.jsonl`;

/** The number of the journal with this file name; undefined for other files. */
export const parseJournalNumber = (name: string): number | undefined => {
  const number = /^journal-(\d{6,})\.jsonl$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
};

interface OpenJournal {
  readonly number: number;
  readonly handle: LogHandle;
  /** In bytes. */
  length: number;
}

export class Journal {
  #current: OpenJournal;
  #next: OpenJournal | undefined;
  /** Those not yet in the files, including the current one. */
  readonly #numbers: number[];

  constructor(
    readonly folder: DataFolder,
    readonly site: string,
    /** `seq`: the number of the last change. `earlier`: journals that still exist. */
    opened: {
      readonly current: OpenJournal;
      readonly seq: number;
      readonly earlier?: readonly number[];
    },
  ) {
    this.#current = opened.current;
    this.seq = opened.seq;
    this.#numbers = [...(opened.earlier ?? []), opened.current.number];
  }

  /** Of the last change. */
  seq: number;

  /** Of changes that may not be in the files yet, in bytes. */
  get size(): number {
    return this.#current.length;
  }

  /** Earlier ones exist, of which the files may have everything already. */
  get hasObsolete(): boolean {
    return this.#numbers.length > 1;
  }

  /** The oldest still needed. */
  get oldest(): number {
    return assertDefined(this.#numbers[0], "journal");
  }

  /** Stores a commit's writes as one line, an empty one if there are none. Throws what the disk throws, and FsyncError. */
  async append(writes: readonly string[]): Promise<void> {
    await writeBytes(this.#current, `{"seq":${this.seq + 1},"writes":[${writes.join(",")}]}`);
    this.seq++;
  }

  /** Creates the next journal for `rotate`. Throws what the disk throws. */
  async prepare(): Promise<void> {
    this.#next ??= await createJournal(this.folder, this.#current.number + 1);
  }

  /** Continues in the prepared journal. Nothing may be appended meanwhile. Throws like `append`. */
  async rotate(): Promise<void> {
    const [before, next] = [this.#current, assertDefined(this.#next, "next journal")];
    const { seq, site } = this;
    await createLineWriter(next, { seq, site, journal: next.number });
    try {
      await createLineWriter(before, { seq, next: next.number });
    } catch (error) {
      await truncateJournal(next, 0);
      throw error;
    }
    this.#current = next;
    this.#next = undefined;
    this.#numbers.push(next.number);
    await closeQuietly(before.handle);
  }

  /** Call once the files have all changes of earlier journals: removes those. */
  async removeObsolete(seq: number): Promise<void> {
    await createLineWriter(this.#current, { seq: this.seq, written: seq });
    await removeJournals(this.folder, this.#numbers.slice(0, -1));
    this.#numbers.splice(0, this.#numbers.length - 1);
  }

  async close(): Promise<void> {
    await closeQuietly(this.#current.handle);
    if (!this.#next) return;
    await closeQuietly(this.#next.handle);
    await removeJournals(this.folder, [this.#next.number]).catch(() => {});
  }

  /** Call once the marker requires none. */
  async removeAll(): Promise<void> {
    await removeJournals(this.folder, this.#numbers);
  }
}

const createLineWriter = (journal: OpenJournal, line: JournalLine) =>
  writeBytes(journal, JSON.stringify(line));

/** On failure the line is removed. Throws what the disk throws, and FsyncError. */
async function writeBytes(journal: OpenJournal, json: string): Promise<void> {
  const bytes = encodeLine(json);
  const { handle, length } = journal;
  try {
    await handle.write(bytes, length);
  } catch (error) {
    // A refused line must not return at the next start.
    await truncateJournal(journal, length);
    throw error;
  }
  journal.length += bytes.length;
}

/** Truncates to this many bytes. Throws FsyncError. */
export async function truncateJournal(journal: OpenJournal, length: number): Promise<void> {
  try {
    await journal.handle.truncate(length);
    await syncHandle(journal.handle);
  } catch (error) {
    throw new FsyncError("a line couldn't be removed", { cause: error });
  }
  journal.length = length;
}

/** An empty one. Leaves none on failure, and throws what the disk throws. */
async function createJournal(folder: DataFolder, number: number): Promise<OpenJournal> {
  const { disk, directory } = folder;
  const path = join(directory, journalFileName(number));
  // A failed attempt's file is empty.
  await orUndefinedIfMissing(disk.remove(path));
  const handle = await disk.openLog(path);
  try {
    await syncPath(disk, directory);
    return { number, handle, length: 0 };
  } catch (error) {
    await closeQuietly(handle);
    await orUndefinedIfMissing(disk.remove(path)).catch(() => {});
    throw error;
  }
}

/** Oldest first, so that a kill leaves no gap. Throws what the disk throws. */
export async function removeJournals(
  folder: DataFolder,
  numbers: readonly number[],
): Promise<void> {
  const { disk, directory } = folder;
  for (const number of numbers)
    await orUndefinedIfMissing(disk.remove(join(directory, journalFileName(number))));
  if (numbers.length > 0) await syncPath(disk, directory);
}

/** The first journal of an open store, or the one after those a kill left. Throws what the disk throws. */
export async function beginJournal(
  folder: DataFolder,
  site: string,
  { number, seq }: { readonly number: number; readonly seq: number },
): Promise<Journal> {
  const current = await createJournal(folder, number);
  try {
    await createLineWriter(current, { seq, site, journal: number });
    return new Journal(folder, site, { current, seq });
  } catch (error) {
    await closeQuietly(current.handle);
    throw error;
  }
}
