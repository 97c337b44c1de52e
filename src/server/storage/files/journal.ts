/**
 * The journal: changes that are committed together are a line in it and in its copy before memory changes and callers
 * get results. A journal is removed once the files have all its changes; another one has taken new lines since.
 */
import { present } from "../../../schema/present.ts";
import { join } from "node:path";
import type { DataFolder } from "./dataFolder.ts";
import { closeQuietly, FailedSync, ifThere, type LogHandle, sync, syncPath } from "../disk/disk.ts";
import { encodeLine, type Line } from "./journalLines.ts";

const PREFIX = "journal-";

/** A journal's two files. */
export const journalFiles = (number: number) => {
  const name = `${PREFIX}${String(number).padStart(6, "0")}.jsonl`;
  return [name, `${name}.bak`] as const;
};

/** The number of the journal with this file or copy; undefined for other files. */
export const journalOf = (name: string): number | undefined => {
  const number = /^journal-(\d{6,})\.jsonl(?:\.bak)?$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
};

/** The journals of these files, each once. */
export const numbersOf = (files: ReadonlyMap<string, unknown>): number[] => [
  ...new Set([...files.keys()].flatMap((name) => journalOf(name) ?? [])),
];

/** A journal's two files, open for writing. */
export interface OpenJournal {
  readonly number: number;
  readonly handles: readonly LogHandle[];
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
    /** `seq`: the number of the last change. `numbers`: earlier journals that still exist. */
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

  /** The oldest still needed. */
  get oldest(): number {
    return present(this.#numbers[0], "journal");
  }

  /** Stores a commit's writes as one line, an empty one if there are none. Throws what the disk throws, and FailedSync. */
  async append(writes: readonly string[]): Promise<void> {
    await write(this.#current, `{"seq":${this.seq + 1},"writes":[${writes.join(",")}]}`);
    this.seq++;
  }

  /** Creates the next journal for `goOn`. Throws what the disk throws. */
  async prepare(): Promise<void> {
    this.#next ??= await makeJournal(this.folder, this.#current.number + 1);
  }

  /** Continues in the prepared journal. Nothing may be appended meanwhile. Throws like `append`. */
  async goOn(): Promise<void> {
    const [before, next] = [this.#current, present(this.#next, "next journal")];
    const { seq, site } = this;
    await writeLine(next, { seq, site, journal: next.number });
    try {
      await writeLine(before, { seq, next: next.number });
    } catch (error) {
      await cut(next, 0);
      throw error;
    }
    this.#current = next;
    this.#next = undefined;
    this.#numbers.push(next.number);
    await Promise.all(before.handles.map(closeQuietly));
  }

  /** Call once the files have all changes of earlier journals: removes those. */
  async settle(seq: number): Promise<void> {
    await writeLine(this.#current, { seq: this.seq, written: seq });
    await removeJournals(this.folder, this.#numbers.slice(0, -1));
    this.#numbers.splice(0, this.#numbers.length - 1);
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.#current, this.#next].flatMap((each) => each?.handles.map(closeQuietly) ?? []),
    );
    if (this.#next) await removeJournals(this.folder, [this.#next.number]).catch(() => {});
  }

  /** Removes all, once the marker requires none. */
  async end(): Promise<void> {
    await removeJournals(this.folder, this.#numbers);
  }
}

const writeLine = (journal: OpenJournal, line: Line) => write(journal, JSON.stringify(line));

/** A line in both files, or in neither. Throws what the disk throws, and FailedSync. */
async function write(journal: OpenJournal, json: string): Promise<void> {
  const bytes = encodeLine(json);
  const { handles, length } = journal;
  const written = handles.map((handle) => handle.write(bytes, length));
  const failed = (await Promise.allSettled(written)).find(({ status }) => status === "rejected");
  if (failed) {
    // A refused line must not return at the next start.
    await cut(journal, length);
    throw (failed as PromiseRejectedResult).reason;
  }
  journal.length += bytes.length;
}

/** Truncates to this many bytes. Throws FailedSync. */
export async function cut(journal: OpenJournal, length: number): Promise<void> {
  try {
    for (const handle of journal.handles) {
      await handle.truncate(length);
      await sync(handle);
    }
  } catch (error) {
    throw new FailedSync("a line couldn't be taken back", { cause: error });
  }
  journal.length = length;
}

/** Two new, empty files. On failure leaves neither, and throws what the disk throws. */
async function makeJournal(folder: DataFolder, number: number): Promise<OpenJournal> {
  const { disk, directory } = folder;
  const handles: LogHandle[] = [];
  const paths = journalFiles(number).map((name) => join(directory, name));
  try {
    for (const path of paths) {
      // A failed attempt's file is empty.
      await ifThere(disk.remove(path));
      handles.push(await disk.openLog(path));
    }
    await syncPath(disk, directory);
    return { number, handles, length: 0 };
  } catch (error) {
    await Promise.all(handles.map(closeQuietly));
    for (const path of paths.slice(0, handles.length))
      await ifThere(disk.remove(path)).catch(() => {});
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
    for (const name of journalFiles(number)) await ifThere(disk.remove(join(directory, name)));
  if (numbers.length > 0) await syncPath(disk, directory);
}

/** The first journal of an open store, or the one after those a kill left. Throws what the disk throws. */
export async function beginJournal(
  folder: DataFolder,
  site: string,
  { number, seq }: { readonly number: number; readonly seq: number },
): Promise<Journal> {
  const current = await makeJournal(folder, number);
  try {
    await writeLine(current, { seq, site, journal: number });
    return new Journal(folder, site, { current, seq });
  } catch (error) {
    await Promise.all(current.handles.map(closeQuietly));
    throw error;
  }
}
