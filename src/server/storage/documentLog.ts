/**
 * The items of a list that were changed or put at its end, line by line in a file beside the list's document, until
 * that says so itself: a line costs a fraction of writing the document anew, with its copy. Each line is sealed as a file is,
 * and names the state of the document that it follows, so that one which is in it already is known. A start and
 * an archive put the lines into the document: nobody else has to know of them.
 */
import { join } from "node:path";
import type { DataFolder } from "./dataFolder.ts";
import { type DiskHandle, FailedSync, ifThere, sync, syncPath, writeDurably } from "./disk.ts";
import { documentFile, logFile } from "./documentFiles.ts";
import { encode, type Envelope, type Found, isWhole, openSealed } from "./envelope.ts";
import { placed } from "./listedItem.ts";
import { setAside } from "./recovery.ts";
import type { LeftOut, StoredFile } from "./store.ts";

/** What a line tells of the document it follows, and of itself. */
type State = Pick<Envelope<unknown>, "revision" | "savedAt">;

/** Longer logs, in bytes, would make a start read what a write of the document can take over. */
const LONGEST = 64 * 1024;
const NEWLINE = 0x0a;

/** An item of the document's list, in the state that follows `base` or the lines after it. */
export function lineOf(base: Envelope<unknown>, { revision, savedAt }: State, item: unknown) {
  const { entity, version } = base;
  const line = encode(after(base), { entity, version, revision, savedAt, value: item });
  return Buffer.concat([line, Buffer.of(NEWLINE)]);
}

const after = ({ entity, revision, savedAt }: Envelope<unknown>) =>
  `${entity} after ${revision}, ${savedAt}`;

/** A document's bytes with the lines that follow it. */
interface WithLines {
  readonly bytes: Uint8Array;
  /** How many lines are in these bytes that were not in the document. */
  readonly added: number;
  /** Some line is neither whole nor the last one that a kill cut short. */
  readonly isDamaged: boolean;
}

/** Lines of another state, which is in the document or was never in it, are passed over. */
export function withLines(document: Uint8Array, log: Uint8Array): WithLines {
  const base = openSealed(document);
  if (!base || !Array.isArray(base.value)) return { bytes: document, added: 0, isDamaged: false };
  const place = after(base);
  const lines = linesIn(log);
  const whole = lines.filter((line) => line !== undefined);
  const added: Found[] = [];
  for (const line of whole)
    if (line.place === place && line.revision > (added.at(-1) ?? base).revision) added.push(line);
  const { revision, savedAt } = added.at(-1) ?? base;
  const items = added.map((line) => line.value as { id: string });
  const value = items.reduce(placed, base.value as readonly { id: string }[]);
  return {
    bytes:
      added.length === 0 ? document : encode(base.entity, { ...base, revision, savedAt, value }),
    added: added.length,
    isDamaged: whole.length < lines.length,
  };
}

/** Undefined for one that is damaged. The last one may have been cut short: it was never acknowledged. */
function linesIn(log: Uint8Array): (Found | undefined)[] {
  const lines: (Found | undefined)[] = [];
  let from = 0;
  for (let end = log.indexOf(NEWLINE); end !== -1; end = log.indexOf(NEWLINE, from)) {
    const line = log.subarray(from, end);
    lines.push(isWhole(line) ? openSealed(line) : undefined);
    from = end + 1;
  }
  return lines;
}

/** The files of a data folder itself, as they were at one moment, with all lines in their documents. */
export function withoutLogs(files: readonly StoredFile[], leftOut?: LeftOut): StoredFile[] {
  const logs = new Map(
    files.filter(({ path }) => path.endsWith(LOG)).map(({ path, bytes }) => [path, bytes]),
  );
  const said = new Set<string>();
  return files
    .filter(({ path }) => !logs.has(path))
    .map(({ path, bytes }) => {
      const of = logFile(path.replace(/\.json(\.bak)?$/, ""));
      const log = logs.get(of);
      if (!log) return { path, bytes };
      const taken = withLines(bytes, log);
      if (taken.isDamaged && !said.has(of)) leftOut?.(of, "it is damaged");
      said.add(of);
      return { path, bytes: taken.bytes };
    });
}

const LOG = logFile("");

/** The log of a document that is open; it is made with the first line. */
export class DocumentLog {
  readonly #path: string;
  #handle: DiskHandle | undefined;
  /** Of the lines that are acknowledged, in bytes. */
  #length = 0;

  constructor(
    readonly folder: DataFolder,
    readonly name: string,
  ) {
    this.#path = join(folder.directory, logFile(name));
  }

  /** At a start: puts the lines that a kill left into the document's file, which is whole. Returns whether it did. */
  async takeIn(): Promise<boolean> {
    const { folder, name } = this;
    const { disk, directory } = folder;
    const log = await ifThere(disk.read(this.#path));
    if (!log) return false;
    const path = join(directory, documentFile(name));
    const { bytes, added, isDamaged } = withLines(await disk.read(path), log);
    if (added > 0)
      await folder.write(name, () => writeDurably(disk, path, bytes, { backup: "same" }), true);
    if (isDamaged) await setAside({ folder, path: this.#path }, new Error("has a damaged line"));
    else await ifThere(disk.remove(this.#path));
    return added > 0;
  }

  /** No line is in it. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Returns whether the lines are on the disk; where they aren't, none of them is. */
  async append(lines: readonly Uint8Array[]): Promise<boolean> {
    const bytes = Buffer.concat(lines);
    if (this.#length + bytes.length > LONGEST) return false;
    try {
      await this.folder.write(this.name, () => this.#append(bytes));
    } catch {
      // It was logged. What can't be appended is written whole, which may spend the reserve. Where a move of the
      // site came in between, the lines are there and not acknowledged.
      await this.#handle?.truncate(this.#length).catch(() => {});
      return false;
    }
    this.#length += bytes.length;
    return true;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    const { disk, directory } = this.folder;
    if (!this.#handle) {
      this.#handle = await disk.create(this.#path);
      await syncPath(disk, directory);
    }
    try {
      await this.#handle.write(bytes, this.#length);
    } catch (error) {
      await this.#takeBack(this.#handle);
      throw error;
    }
    await sync(this.#handle);
  }

  /** What was refused must not come back at the next start. */
  async #takeBack(handle: DiskHandle): Promise<void> {
    try {
      await handle.truncate(this.#length);
    } catch (error) {
      throw new FailedSync("a refused line couldn't be taken back", { cause: error });
    }
  }

  /** To be called once the document holds every line. */
  async clear(): Promise<void> {
    if (this.isEmpty) return;
    // Lines that stay are of a state that is over, and are passed over: the next ones go behind them.
    const isCut = await this.#handle?.truncate(0).then(
      () => true,
      () => false,
    );
    if (isCut) this.#length = 0;
  }

  /** Ends it. Without a line in it, its file goes as well. */
  async close(): Promise<void> {
    if (!this.#handle) return;
    await this.#handle.close().catch(() => {});
    if (this.isEmpty) await ifThere(this.folder.disk.remove(this.#path)).catch(() => {});
  }
}
