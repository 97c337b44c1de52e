/** The journal has a line for each commit. The line is appended before memory is changed and callers get results. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { join } from "node:path";
import type { DataFolder } from "./dataFolder.ts";
import {
  closeQuietly,
  FsyncError,
  ignoreMissing,
  type JournalHandle,
  syncHandle,
  syncPath,
} from "../disk/disk.ts";
import { encodeLine, type JournalLine } from "./journalLines.ts";

export const createJournalFileName = (number: number) =>
  `journal-${String(number).padStart(6, "0")}.jsonl`;

export const parseJournalNumber = (name: string): number | undefined => {
  const number = /^journal-(\d{6,})\.jsonl$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
};

interface OpenJournal {
  readonly number: number;
  readonly handle: JournalHandle;
  /** The length in bytes. */
  length: number;
}

export class Journal {
  #current: OpenJournal;
  #next: OpenJournal | undefined;
  /** The numbers of all existing journals, oldest first; the last number is the current journal's. */
  readonly #numbers: number[];

  constructor(
    readonly folder: DataFolder,
    readonly siteId: string,
    /** `seq`: the number of the last commit. `earlierNumbers`: the numbers of earlier journals that still exist. */
    state: {
      readonly current: OpenJournal;
      readonly seq: number;
      readonly earlierNumbers?: readonly number[];
    },
  ) {
    this.#current = state.current;
    this.seq = state.seq;
    this.#numbers = [...(state.earlierNumbers ?? []), state.current.number];
  }

  /** The number of the last commit. */
  seq: number;

  get length(): number {
    return this.#current.length;
  }

  get hasObsoleteJournals(): boolean {
    return this.#numbers.length > 1;
  }

  get oldestNumber(): number {
    return assertDefined(this.#numbers[0], "journal");
  }

  /** Appends a line for a commit, which may have no writes. Throws what the disk throws, and FsyncError. */
  async append(writes: readonly string[]): Promise<void> {
    await appendJson(this.#current, `{"seq":${this.seq + 1},"writes":[${writes.join(",")}]}`);
    this.seq++;
  }

  /** Creates the file of the next journal, which `rotate` then uses. Throws what the disk throws. */
  async prepareNext(): Promise<void> {
    this.#next ??= await createJournal(this.folder, this.#current.number + 1);
  }

  /** Makes the prepared journal the current one. The caller must append nothing meanwhile. */
  async rotate(): Promise<void> {
    const [previous, next] = [this.#current, assertDefined(this.#next, "next journal")];
    const { seq, siteId } = this;
    await appendLine(next, { seq, site: siteId, journal: next.number });
    try {
      await appendLine(previous, { seq, next: next.number });
    } catch (error) {
      await truncateJournal(next, 0);
      throw error;
    }
    this.#current = next;
    this.#next = undefined;
    this.#numbers.push(next.number);
    await closeQuietly(previous.handle);
  }

  /** Removes earlier journals. Call only after the files have all changes up to `seq`. */
  async removeObsoleteJournals(seq: number): Promise<void> {
    await appendLine(this.#current, { seq: this.seq, written: seq });
    await removeJournals(this.folder, this.#numbers.slice(0, -1));
    this.#numbers.splice(0, this.#numbers.length - 1);
  }

  async close(): Promise<void> {
    await closeQuietly(this.#current.handle);
    if (!this.#next) return;
    await closeQuietly(this.#next.handle);
    await removeJournals(this.folder, [this.#next.number]).catch(() => {});
  }

  /** Removes all journals. Call only after the marker was saved without a required journal. */
  async removeAll(): Promise<void> {
    await removeJournals(this.folder, this.#numbers);
  }
}

const appendLine = (journal: OpenJournal, line: JournalLine) =>
  appendJson(journal, JSON.stringify(line));

/** Appends a line. If that fails, removes the part that was written. Throws what the disk throws, and FsyncError. */
async function appendJson(journal: OpenJournal, json: string): Promise<void> {
  const bytes = encodeLine(json);
  const { handle, length } = journal;
  try {
    await handle.write(bytes, length);
  } catch (error) {
    // Without this, the next start could apply a change that was refused.
    await truncateJournal(journal, length);
    throw error;
  }
  journal.length += bytes.length;
}

/** Truncates a journal to a length in bytes. Throws FsyncError. */
export async function truncateJournal(journal: OpenJournal, length: number): Promise<void> {
  try {
    await journal.handle.truncate(length);
    await syncHandle(journal.handle);
  } catch (error) {
    throw new FsyncError("a line couldn't be removed", { cause: error });
  }
  journal.length = length;
}

/** Creates an empty journal. If an error occurs, the file is removed again. Throws what the disk throws. */
async function createJournal(folder: DataFolder, number: number): Promise<OpenJournal> {
  const { disk, directory } = folder;
  const path = join(directory, createJournalFileName(number));
  // An earlier attempt may have left an empty file.
  await ignoreMissing(disk.remove(path));
  const handle = await disk.openJournal(path);
  try {
    await syncPath(disk, directory);
    return { number, handle, length: 0 };
  } catch (error) {
    await closeQuietly(handle);
    await ignoreMissing(disk.remove(path)).catch(() => {});
    throw error;
  }
}

/** Removes journals, oldest first, so that a kill leaves no gap. Throws what the disk throws. */
export async function removeJournals(
  folder: DataFolder,
  numbers: readonly number[],
): Promise<void> {
  const { disk, directory } = folder;
  for (const number of numbers)
    await ignoreMissing(disk.remove(join(directory, createJournalFileName(number))));
  if (numbers.length > 0) await syncPath(disk, directory);
}

/** Creates the first journal. `seq` is the number of the last commit. Throws what the disk throws. */
export async function beginJournal(
  folder: DataFolder,
  siteId: string,
  seq: number,
): Promise<Journal> {
  const current = await createJournal(folder, 1);
  try {
    await appendLine(current, { seq, site: siteId, journal: current.number });
    return new Journal(folder, siteId, { current, seq });
  } catch (error) {
    await closeQuietly(current.handle);
    throw error;
  }
}
