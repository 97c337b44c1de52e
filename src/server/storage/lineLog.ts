/**
 * What was put into a list since its file was written, line by line in a log beside the file and in a copy of that,
 * until the file says so itself: a line costs a fraction of writing the file anew. Each line is sealed as a file is,
 * and names the state of the file that it follows, so that one which is in the file already is known. A start and
 * whoever reads a folder from outside put the lines into the file: nobody else has to know of them.
 */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { DataFolder } from "./dataFolder.ts";
import {
  codeOf,
  type Disk,
  type LogHandle,
  FailedSync,
  ifThere,
  sync,
  syncPath,
  writeDurably,
} from "./disk.ts";
import { encode, type Envelope, type Found, isWhole, openSealed } from "./envelope.ts";
import { placed } from "./listedItem.ts";
import type { LeftOut, StoredFile } from "./store.ts";

/** An item that was put into a list, and the state of the list with it. */
export interface Line extends Pick<Envelope<unknown>, "revision" | "savedAt"> {
  readonly item: unknown;
}

/** What a line says of the file that it follows. */
type Base = Omit<Envelope<unknown>, "value"> & { readonly place?: string | undefined };

/** Longer logs, in bytes, would make a start read what a write of the file can take over. */
const LONGEST = 256 * 1024;
const NEWLINE = 0x0a;

/** The log of a file, or of its copy: the same. */
const logOf = (path: string) => path.replace(/\.json(\.bak)?$/, ".jsonl");

/** A file's log and the copy of that. */
export const logsOf = (path: string) => [logOf(path), `${logOf(path)}.bak`] as const;

/** Whether a name is that of a log or its copy. */
export const isLog = (name: string): boolean => /\.jsonl(\.bak)?$/.test(name);

const after = ({ entity, place = entity, revision, savedAt }: Base) =>
  `${place} after ${revision}, ${savedAt}`;

function encodeLine(base: Base, { revision, savedAt, item }: Line): Uint8Array {
  const { entity, version } = base;
  const line = encode(after(base), { entity, version, revision, savedAt, value: item });
  return Buffer.concat([line, Buffer.of(NEWLINE)]);
}

/** The lines of a file's log and its copy that follow this state of it, each once, in their order. */
export function linesAfter(base: Base, logs: readonly Uint8Array[]): Line[] {
  const place = after(base);
  const lines = new Map<number, Line>();
  for (const line of logs.flatMap((log) => read(log).lines))
    if (line.place === place && line.revision > base.revision)
      lines.set(line.revision, { ...line, item: line.value });
  return [...lines.values()].toSorted((one, other) => one.revision - other.revision);
}

/** What a log holds. What a kill cut short at its end was never acknowledged, and is no damage. */
function read(log: Uint8Array): { readonly lines: readonly Found[]; readonly isDamaged: boolean } {
  const lines: Found[] = [];
  let isDamaged = false;
  let from = 0;
  for (let end = log.indexOf(NEWLINE); end !== -1; end = log.indexOf(NEWLINE, from)) {
    const line = sealed(log.subarray(from, end));
    if (line) lines.push(line);
    else isDamaged = true;
    from = end + 1;
  }
  // A whole line before another sign than its end.
  const last = sealed(log.subarray(from, -1));
  return { lines: last ? [...lines, last] : lines, isDamaged: isDamaged || last !== undefined };
}

const sealed = (line: Uint8Array) => (isWhole(line) ? openSealed(line) : undefined);

const isDamaged = (log: Uint8Array) => read(log).isDamaged;

/** A list with the items of these lines. */
export function withLines(list: unknown, lines: readonly Line[]): unknown {
  const items = lines.map(({ item }) => item as { id: string });
  return items.reduce(placed, list as readonly { id: string }[]);
}

/** A file's bytes with the lines that follow it; the same bytes where none does. */
function bytesWithLines(file: Uint8Array, logs: readonly Uint8Array[]): Uint8Array {
  const base = logs.length > 0 ? openSealed(file) : undefined;
  const lines = base && Array.isArray(base.value) ? linesAfter(base, logs) : [];
  if (!base || lines.length === 0) return file;
  const { revision, savedAt } = lines.at(-1)!;
  const value = withLines(base.value, lines);
  return encode(base.place ?? base.entity, { ...base, revision, savedAt, value });
}

/** What of a file's log and its copy is there. Throws what the disk throws. */
export async function readLogs(disk: Pick<Disk, "read">, path: string): Promise<Uint8Array[]> {
  const found = await Promise.all(logsOf(path).map((log) => ifThere(disk.read(log))));
  return found.filter((log) => log !== undefined);
}

/**
 * A file's bytes with the lines that follow it, for who has not opened a store. The lines are read first: those
 * that are put into the file meanwhile are known to be in it. Throws what the disk throws.
 */
export async function readWithLines(path: string): Promise<Uint8Array> {
  const logs = await readLogs({ read: readFile }, path);
  return bytesWithLines(await readFile(path), logs);
}

/** Puts lines into the files of one folder, of which these are the logs; they were read before the files. */
export function linesInto(
  logs: readonly StoredFile[],
  leftOut: LeftOut,
): (file: StoredFile) => StoredFile {
  const found = new Map(logs.map(({ path, bytes }) => [path, bytes]));
  for (const path of new Set(logs.map((log) => logOf(log.path.replace(/l(\.bak)?$/, ""))))) {
    const own = logsOf(path).flatMap((log) => found.get(log) ?? []);
    if (own.every(isDamaged)) leftOut(path, "it is damaged, and so is its copy");
  }
  return ({ path, bytes }) => {
    const own = logsOf(path).flatMap((log) => found.get(log) ?? []);
    return { path, bytes: bytesWithLines(bytes, own) };
  };
}

/**
 * At a start: puts the lines that a kill left into their file, which is whole, and ends the log. `setAside` keeps one
 * that is damaged or can't be read, and throws where that says nothing about it. Returns whether the file was
 * written anew.
 */
export async function takeLinesIn(
  folder: DataFolder,
  path: string,
  setAside: (log: string, reason: unknown) => Promise<void>,
): Promise<boolean> {
  const { disk } = folder;
  const logs = new Map<string, Uint8Array>();
  for (const log of logsOf(path).filter((each) => folder.logs.delete(each)))
    await disk.read(log).then(
      (bytes) => void logs.set(log, bytes),
      (error: unknown) => setAside(log, error),
    );
  if (logs.size === 0) return false;
  const file = await disk.read(path);
  const bytes = bytesWithLines(file, [...logs.values()]);
  if (bytes !== file)
    await folder.withReserve(() => writeDurably(disk, path, bytes, { backup: "same" }));
  for (const [log, found] of logs)
    if (isDamaged(found)) await setAside(log, new Error("has a damaged line"));
    else await disk.remove(log);
  return bytes !== file;
}

/** Whether a kill left lines that follow a file. */
export const hasLog = ({ logs }: DataFolder, path: string): boolean =>
  logsOf(path).some((log) => logs.has(log));

/** The log of a file that is open for writing, with its copy; both are made with the first line. */
export class LineLog {
  #handles: readonly LogHandle[] = [];
  /** Of the lines that are acknowledged, in bytes. */
  #length = 0;
  /** Nothing is behind those. */
  #isCut = true;

  constructor(
    readonly folder: DataFolder,
    /** Of the file that the lines follow. */
    readonly path: string,
  ) {}

  /** Of all lines in it, in bytes. */
  get size(): number {
    return this.#length;
  }

  /**
   * Puts lines behind those that are there, which follow the same state of the file. Returns whether they are on
   * the disk; where they aren't, none of them is.
   */
  async append(base: Base, lines: readonly Line[]): Promise<boolean> {
    const bytes = Buffer.concat(lines.map((line) => encodeLine(base, line)));
    if (!this.#isCut || this.#length + bytes.length > LONGEST) return false;
    let isThere = true;
    try {
      await this.folder.write(base.entity, async () => {
        isThere = this.#handles.length > 0 || (await this.#make());
        if (isThere) await this.#append(bytes);
      });
    } catch {
      // What can't be appended is written whole, which says why it can't, or may spend the reserve. Where a move of
      // the site came in between, the lines are there and not acknowledged.
      await this.#cut().catch(() => {});
      return false;
    }
    if (!isThere) return false;
    this.#length += bytes.length;
    this.#isCut = true;
    return true;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.#isCut = false;
    const written = this.#handles.map((handle) => handle.write(bytes, this.#length));
    const failed = (await Promise.allSettled(written)).find(({ status }) => status === "rejected");
    if (!failed) return;
    // What was refused must not come back at the next start.
    await this.#cut();
    throw (failed as PromiseRejectedResult).reason;
  }

  /** Returns false where no descriptor is left for it, which says nothing about the disk. */
  async #make(): Promise<boolean> {
    const { disk } = this.folder;
    const made: LogHandle[] = [];
    try {
      for (const path of logsOf(this.path)) made.push(await disk.createLog(path));
      await syncPath(disk, dirname(this.path));
      this.#handles = made;
      return true;
    } catch (error) {
      for (const each of made) await each.close().catch(() => {});
      for (const path of logsOf(this.path).slice(0, made.length))
        await disk.remove(path).catch(() => {});
      if (["EMFILE", "ENFILE"].includes(codeOf(error) ?? "")) return false;
      throw error;
    }
  }

  /** Leaves the lines that are acknowledged. Throws FailedSync. */
  async #cut(): Promise<void> {
    if (this.#isCut) return;
    try {
      for (const handle of this.#handles) {
        await handle.truncate(this.#length);
        await sync(handle);
      }
    } catch (error) {
      throw new FailedSync("a line couldn't be taken back", { cause: error });
    }
    this.#isCut = true;
  }

  /**
   * To be called once the file holds every line: what was erased from that is nowhere afterwards. A disk that doesn't
   * let them go ends the process. Those that a power cut brings back are of a state that is over: the next start
   * removes them, so this waits for no fsync.
   */
  async clear(entity: string): Promise<void> {
    if (this.#length === 0 && this.#isCut) return;
    this.#length = 0;
    this.#isCut = false;
    try {
      await Promise.all(this.#handles.map((handle) => handle.truncate(0)));
      this.#isCut = true;
    } catch (error) {
      const failed = new FailedSync("lines couldn't be removed", { cause: error });
      await this.folder.write(entity, () => Promise.reject(failed));
    }
  }

  /** Ends it; without a line in it its files go. */
  async close(): Promise<void> {
    const handles = this.#handles;
    this.#handles = [];
    for (const handle of handles) await handle.close().catch(() => {});
    if (handles.length === 0 || this.#length > 0) return;
    for (const log of logsOf(this.path))
      await ifThere(this.folder.disk.remove(log)).catch(() => {});
  }
}
