/**
 * A disk in memory that knows what survives a power cut: synced bytes, and names whose folder was synced. As in
 * POSIX, anything else may be gone or there, in any order.
 */
import { dirname, relative } from "node:path";
import type { Disk, DiskHandle, JournalHandle } from "../../../src/server/storage/disk/disk.ts";
import { diskError } from "./faultyDisk.ts";

/** A file under any name: its current bytes, and its synced ones. */
interface Inode {
  now: Uint8Array;
  synced: Uint8Array;
}

/** A name that was added (`inode`, or "folder") or removed (undefined). */
type Entry = Inode | "folder" | undefined;

/** What may survive a power cut. */
export type Left = "what was synced" | "all names" | "all bytes" | "everything" | "some of it";
export const LEFT: readonly Left[] = [
  "what was synced",
  "all names",
  "all bytes",
  "everything",
  "some of it",
];

const NOTHING = new Uint8Array();

export class PowerDisk implements Disk {
  readonly #now = new Map<string, Entry>();
  readonly #synced = new Map<string, Entry>();
  /** Names added and removed since their folder was synced, in order. */
  #since: [string, Entry][] = [];
  /** The write in progress, and its result. */
  #writing: [Inode, Uint8Array] | undefined;
  calls = 0;

  constructor(
    /** Every path is below it. */
    readonly root: string,
    /** Awaited before each call that changes something. */
    readonly before: () => void | Promise<void> = () => {},
  ) {}

  #path = (path: string) => relative(this.root, path);

  /** The disk after a power cut now, under another root. `draw` returns a number below its argument. */
  afterCut(root: string, left: Left, draw: (below: number) => number): PowerDisk {
    const names = new Map(left === "all names" || left === "everything" ? this.#now : this.#synced);
    const hasBytes = left === "all bytes" || left === "everything";
    if (left === "some of it") {
      const count = draw(this.#since.length + 1);
      for (const [path, entry] of this.#since.slice(0, count)) names.set(path, entry);
    }
    const inodes = new Map<Inode, Inode>();
    const bytesOf = (inode: Inode): Uint8Array => {
      if (hasBytes) return inode.now;
      if (left !== "some of it") return inode.synced;
      const [writes, next] = this.#writing ?? [];
      if (writes === inode) return torn(inode.synced, next!, draw);
      return [inode.now, inode.synced, inode.now.slice(0, draw(inode.now.length + 1))][
        // Bytes that are fully synced can't be torn.
        inode.now === inode.synced ? 1 : draw(3)
      ]!;
    };
    const copyOf = (inode: Inode): Inode => {
      let copy = inodes.get(inode);
      if (!copy) {
        const bytes = bytesOf(inode);
        copy = { now: bytes, synced: bytes };
        inodes.set(inode, copy);
      }
      return copy;
    };
    const after = new PowerDisk(root);
    for (const [path, entry] of names) {
      // Files in a lost folder can't be found.
      if (entry === undefined || !isIn(names, dirname(path))) continue;
      after.#set(path, typeof entry === "object" ? copyOf(entry) : entry);
    }
    for (const [path, entry] of after.#now) after.#synced.set(path, entry);
    after.#since = [];
    return after;
  }

  #set(path: string, entry: Entry): void {
    this.#now.set(path, entry);
    this.#since.push([path, entry]);
  }

  async #change<R>(work: () => R): Promise<R> {
    await this.before();
    this.calls++;
    return work();
  }

  #file(path: string): Inode {
    const entry = this.#now.get(this.#path(path));
    if (typeof entry !== "object") throw diskError("ENOENT");
    return entry;
  }

  #requireFolder(path: string): void {
    if (!isIn(this.#now, dirname(path))) throw diskError("ENOENT");
  }

  async read(path: string): Promise<Uint8Array> {
    return this.#file(path).now.slice();
  }

  async list(path: string): Promise<string[]> {
    const folder = this.#path(path);
    if (!isIn(this.#now, folder || ".")) throw diskError("ENOENT");
    return [...this.#now].flatMap(([each, entry]) =>
      entry !== undefined && each !== "" && dirname(each) === (folder || ".")
        ? [each.slice(folder === "" ? 0 : folder.length + 1)]
        : [],
    );
  }

  makeFolder(path: string): Promise<void> {
    return this.#change(() => {
      const parts = this.#path(path).split("/").filter(Boolean);
      for (const at of parts.keys()) {
        const each = parts.slice(0, at + 1).join("/");
        if (this.#now.get(each) !== "folder") this.#set(each, "folder");
      }
    });
  }

  create(path: string): Promise<DiskHandle> {
    return this.#change(() => {
      const name = this.#path(path);
      this.#requireFolder(name);
      if (this.#now.get(name) !== undefined) throw diskError("EEXIST");
      const inode = { now: NOTHING, synced: NOTHING };
      this.#set(name, inode);
      return this.#handle(inode);
    });
  }

  #handle(inode: Inode): DiskHandle {
    return {
      write: (bytes) => this.#write(inode, joined(inode.now, bytes, inode.now.length), false),
      sync: () => this.#change(() => void (inode.synced = inode.now)),
      close: async () => {},
    };
  }

  async #write(inode: Inode, next: Uint8Array, isSynced: boolean): Promise<void> {
    this.#writing = [inode, next];
    await this.before();
    this.#writing = undefined;
    this.calls++;
    inode.now = next;
    if (isSynced) inode.synced = next;
  }

  openJournal(path: string): Promise<JournalHandle> {
    return this.#change(() => {
      const name = this.#path(path);
      this.#requireFolder(name);
      let inode = this.#now.get(name);
      if (typeof inode !== "object") {
        inode = { now: NOTHING, synced: NOTHING };
        this.#set(name, inode);
      }
      const log = inode;
      return {
        // Resolves once it is on the disk.
        write: (bytes: Uint8Array, at: number) =>
          this.#write(log, joined(log.now, bytes, at), true),
        truncate: (length: number) => this.#change(() => void (log.now = log.now.slice(0, length))),
        sync: () => this.#change(() => void (log.synced = log.now)),
        close: async () => {},
      };
    });
  }

  async open(path: string): Promise<DiskHandle> {
    const name = this.#path(path);
    const entry = name === "" ? "folder" : this.#now.get(name);
    if (entry === undefined) throw diskError("ENOENT");
    if (typeof entry === "object") return this.#handle(entry);
    return {
      write: () => Promise.reject(diskError("EISDIR")),
      sync: () => this.#change(() => this.#syncFolder(name || ".")),
      close: async () => {},
    };
  }

  #syncFolder(folder: string): void {
    const isInFolder = (path: string) => dirname(path) === folder;
    for (const [path, entry] of this.#since) if (isInFolder(path)) this.#synced.set(path, entry);
    this.#since = this.#since.filter(([path]) => !isInFolder(path));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#change(() => {
      const inode = this.#file(from);
      this.#requireFolder(this.#path(to));
      this.#set(this.#path(to), inode);
      this.#set(this.#path(from), undefined);
    });
  }

  remove(path: string): Promise<void> {
    return this.#change(() => {
      this.#file(path);
      this.#set(this.#path(path), undefined);
    });
  }
}

const isIn = (names: ReadonlyMap<string, Entry>, folder: string): boolean =>
  folder === "." ||
  folder === "" ||
  (names.get(folder) === "folder" && isIn(names, dirname(folder)));

const SECTOR = 512;

/** An interrupted write: cut off after the synced part, or with a sector that reads as zeros. */
function torn(synced: Uint8Array, next: Uint8Array, draw: (below: number) => number): Uint8Array {
  const isAppended = Buffer.from(synced).equals(next.subarray(0, synced.length));
  const from = isAppended ? synced.length : 0;
  if (draw(2) === 0) return next.slice(0, from + draw(next.length - from + 1));
  const left = next.slice();
  const sector = Math.floor((from + draw(next.length - from)) / SECTOR) * SECTOR;
  left.fill(0, Math.max(from, sector), sector + SECTOR);
  return left;
}

function joined(before: Uint8Array, bytes: Uint8Array, at: number): Uint8Array {
  const all = new Uint8Array(Math.max(before.length, at + bytes.length));
  all.set(before);
  all.set(bytes, at);
  return all;
}
