/**
 * A disk in memory that knows what survives a power cut: synced bytes, and names whose folder was synced. As in
 * POSIX, anything else may be gone or there, in any order.
 */
import { dirname, relative } from "node:path";
import type { Disk, DiskHandle, JournalHandle } from "../../../src/server/storage/disk/disk.ts";
import { createDiskError } from "./faultyDisk.ts";

/** A file under any name: its current bytes, and its synced ones. */
interface Inode {
  now: Uint8Array;
  synced: Uint8Array;
}

/** A name that was added (`inode`, or "folder") or removed (undefined). */
type Entry = Inode | "folder" | undefined;

/** What may survive a power cut. */
export type Survival = "what was synced" | "all names" | "all bytes" | "everything" | "some of it";
export const SURVIVALS: readonly Survival[] = [
  "what was synced",
  "all names",
  "all bytes",
  "everything",
  "some of it",
];

const NO_BYTES = new Uint8Array();

export class PowerDisk implements Disk {
  readonly #now = new Map<string, Entry>();
  readonly #synced = new Map<string, Entry>();
  /** Names added and removed since their folder was synced, in order. */
  #unsynced: [string, Entry][] = [];
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
  createAfterCut(root: string, survival: Survival, draw: (below: number) => number): PowerDisk {
    const names = new Map(
      survival === "all names" || survival === "everything" ? this.#now : this.#synced,
    );
    const hasBytes = survival === "all bytes" || survival === "everything";
    if (survival === "some of it") {
      const count = draw(this.#unsynced.length + 1);
      for (const [path, entry] of this.#unsynced.slice(0, count)) names.set(path, entry);
    }
    const inodes = new Map<Inode, Inode>();
    const getSurvivingBytes = (inode: Inode): Uint8Array => {
      if (hasBytes) return inode.now;
      if (survival !== "some of it") return inode.synced;
      const [writes, next] = this.#writing ?? [];
      if (writes === inode) return tearWrite(inode.synced, next!, draw);
      return [inode.now, inode.synced, inode.now.slice(0, draw(inode.now.length + 1))][
        // Bytes that are fully synced can't be torn.
        inode.now === inode.synced ? 1 : draw(3)
      ]!;
    };
    const copyInode = (inode: Inode): Inode => {
      let copy = inodes.get(inode);
      if (!copy) {
        const bytes = getSurvivingBytes(inode);
        copy = { now: bytes, synced: bytes };
        inodes.set(inode, copy);
      }
      return copy;
    };
    const after = new PowerDisk(root);
    for (const [path, entry] of names) {
      // Files in a lost folder can't be found.
      if (entry === undefined || !hasFolder(names, dirname(path))) continue;
      after.#set(path, typeof entry === "object" ? copyInode(entry) : entry);
    }
    for (const [path, entry] of after.#now) after.#synced.set(path, entry);
    after.#unsynced = [];
    return after;
  }

  #set(path: string, entry: Entry): void {
    this.#now.set(path, entry);
    this.#unsynced.push([path, entry]);
  }

  async #change<R>(work: () => R): Promise<R> {
    await this.before();
    this.calls++;
    return work();
  }

  #file(path: string): Inode {
    const entry = this.#now.get(this.#path(path));
    if (typeof entry !== "object") throw createDiskError("ENOENT");
    return entry;
  }

  #requireFolder(path: string): void {
    if (!hasFolder(this.#now, dirname(path))) throw createDiskError("ENOENT");
  }

  async read(path: string): Promise<Uint8Array> {
    return this.#file(path).now.slice();
  }

  async list(path: string): Promise<string[]> {
    const folder = this.#path(path);
    if (!hasFolder(this.#now, folder || ".")) throw createDiskError("ENOENT");
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
      if (this.#now.get(name) !== undefined) throw createDiskError("EEXIST");
      const inode = { now: NO_BYTES, synced: NO_BYTES };
      this.#set(name, inode);
      return this.#handle(inode);
    });
  }

  #handle(inode: Inode): DiskHandle {
    return {
      write: (bytes) => this.#write(inode, writeBytes(inode.now, bytes, inode.now.length), false),
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
        inode = { now: NO_BYTES, synced: NO_BYTES };
        this.#set(name, inode);
      }
      const log = inode;
      return {
        // Resolves once it is on the disk.
        write: (bytes: Uint8Array, at: number) =>
          this.#write(log, writeBytes(log.now, bytes, at), true),
        truncate: (length: number) => this.#change(() => void (log.now = log.now.slice(0, length))),
        sync: () => this.#change(() => void (log.synced = log.now)),
        close: async () => {},
      };
    });
  }

  async open(path: string): Promise<DiskHandle> {
    const name = this.#path(path);
    const entry = name === "" ? "folder" : this.#now.get(name);
    if (entry === undefined) throw createDiskError("ENOENT");
    if (typeof entry === "object") return this.#handle(entry);
    return {
      write: () => Promise.reject(createDiskError("EISDIR")),
      sync: () => this.#change(() => this.#syncFolder(name || ".")),
      close: async () => {},
    };
  }

  #syncFolder(folder: string): void {
    const isInFolder = (path: string) => dirname(path) === folder;
    for (const [path, entry] of this.#unsynced) if (isInFolder(path)) this.#synced.set(path, entry);
    this.#unsynced = this.#unsynced.filter(([path]) => !isInFolder(path));
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

const hasFolder = (names: ReadonlyMap<string, Entry>, folder: string): boolean =>
  folder === "." ||
  folder === "" ||
  (names.get(folder) === "folder" && hasFolder(names, dirname(folder)));

const SECTOR = 512;

/** An interrupted write: cut off after the synced part, or with a sector that reads as zeros. */
function tearWrite(
  synced: Uint8Array,
  next: Uint8Array,
  draw: (below: number) => number,
): Uint8Array {
  const isAppended = Buffer.from(synced).equals(next.subarray(0, synced.length));
  const from = isAppended ? synced.length : 0;
  if (draw(2) === 0) return next.slice(0, from + draw(next.length - from + 1));
  const bytesLeft = next.slice();
  const sector = Math.floor((from + draw(next.length - from)) / SECTOR) * SECTOR;
  bytesLeft.fill(0, Math.max(from, sector), sector + SECTOR);
  return bytesLeft;
}

function writeBytes(before: Uint8Array, bytes: Uint8Array, at: number): Uint8Array {
  const all = new Uint8Array(Math.max(before.length, at + bytes.length));
  all.set(before);
  all.set(bytes, at);
  return all;
}
