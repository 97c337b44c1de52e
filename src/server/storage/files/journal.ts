/**
 * The journal: every change is a line in it and in its copy before memory changes and before anybody is answered.
 * Once the files hold all that is in a journal, it goes; another has taken the lines since.
 */
import { present } from "../../../schema/present.ts";
import { join } from "node:path";
import type { DataFolder } from "./dataFolder.ts";
import { closeQuietly, FailedSync, ifThere, type LogHandle, sync, syncPath } from "../disk/disk.ts";
import { encodeLine, type Line } from "./journalLines.ts";

const PREFIX = "journal-";

/** The two files of a journal. */
export const journalFiles = (number: number) => {
  const name = `${PREFIX}${String(number).padStart(6, "0")}.jsonl`;
  return [name, `${name}.bak`] as const;
};

/** The number of the journal that a file is of, or whose copy it is; undefined for another file. */
export const journalOf = (name: string): number | undefined => {
  const number = /^journal-(\d{6,})\.jsonl(?:\.bak)?$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
};

/** The journals that some files are of, each once. */
export const numbersOf = (files: ReadonlyMap<string, unknown>): number[] => [
  ...new Set([...files.keys()].flatMap((name) => journalOf(name) ?? [])),
];

/** The two files of a journal, open to be written. */
export interface OpenJournal {
  readonly number: number;
  readonly handles: readonly LogHandle[];
  /** In bytes. */
  length: number;
}

export class Journal {
  #current: OpenJournal;
  #next: OpenJournal | undefined;
  /** Those that the files don't hold yet, the present one among them. */
  readonly #numbers: number[];

  constructor(
    readonly folder: DataFolder,
    readonly site: string,
    /** `seq`: the number of the last change. `numbers`: those of the journals before it that are still there. */
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

  /** Of what the files may not hold yet, in bytes. */
  get size(): number {
    return this.#current.length;
  }

  /** The oldest that is still needed. */
  get oldest(): number {
    return present(this.#numbers[0], "journal");
  }

  /** Stores what was changed at one moment, or nothing of it. Throws what the disk throws, and FailedSync. */
  async append(writes: readonly string[]): Promise<void> {
    await write(this.#current, `{"seq":${this.seq + 1},"writes":[${writes.join(",")}]}`);
    this.seq++;
  }

  /** Takes back the change that was stored last. Throws FailedSync. */
  async takeBack(length: number): Promise<void> {
    this.seq--;
    await cut(this.#current, length);
  }

  /** Makes the next journal, which `goOn` goes on in. Throws what the disk throws. */
  async prepare(): Promise<void> {
    this.#next ??= await makeJournal(this.folder, this.#current.number + 1);
  }

  /** Goes on in the journal that was prepared. Nothing may be appended meanwhile. Throws as `append`. */
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

  /** To be called once the files hold all of the journals before the present one: they go. */
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

  /** Removes all, once the marker says that there are none. */
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
    // What is refused must not come back at the next start.
    await cut(journal, length);
    throw (failed as PromiseRejectedResult).reason;
  }
  journal.length += bytes.length;
}

/** Leaves so many bytes. Throws FailedSync. */
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

/** Two new files, empty. Throws what the disk throws, and leaves neither then. */
async function makeJournal(folder: DataFolder, number: number): Promise<OpenJournal> {
  const { disk, directory } = folder;
  const handles: LogHandle[] = [];
  const paths = journalFiles(number).map((name) => join(directory, name));
  try {
    for (const path of paths) {
      // What a failed attempt has left holds nothing.
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

/** The oldest first, so that what a kill leaves is a row without a gap. Throws what the disk throws. */
export async function removeJournals(
  folder: DataFolder,
  numbers: readonly number[],
): Promise<void> {
  const { disk, directory } = folder;
  for (const number of numbers)
    for (const name of journalFiles(number)) await ifThere(disk.remove(join(directory, name)));
  if (numbers.length > 0) await syncPath(disk, directory);
}

/** The first journal of an open store, or the one after those that a kill has left. Throws what the disk throws. */
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
