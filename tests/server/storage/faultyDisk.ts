/** The real disk behind a gate that sees every operation and can make it fail. */
import type { Disk, DiskHandle, JournalHandle } from "../../../src/server/storage/disk/disk.ts";
import { disk } from "../../../src/server/storage/disk/realDisk.ts";

export type Operation =
  | "read"
  | "list"
  | "makeFolder"
  | "create"
  | "open"
  | "rename"
  | "remove"
  | "write"
  | "truncate"
  | "sync"
  | "close";

/** Sees an operation before it happens; throws to make it fail, or delays it. */
export type Gate = (operation: Operation, path: string) => void | Promise<void>;

/**
 * A refused write leaves half of its bytes. `hurried` passes fsync to the gate only, since without power failures it
 * makes no difference.
 */
export function faultyDisk(gate: Gate, hurried = false): Disk {
  const passing = <T>(operation: Operation, path: string, work: () => Promise<T>) =>
    Promise.resolve(path)
      .then((name) => gate(operation, name))
      .then(work);
  const writing = async (path: string, bytes: Uint8Array, write: DiskHandle["write"]) => {
    try {
      await gate("write", path);
    } catch (error) {
      await write(bytes.subarray(0, bytes.length / 2));
      throw error;
    }
    await write(bytes);
  };
  const ending = (inner: Pick<DiskHandle, "sync" | "close">, path: string) => ({
    sync: () => passing("sync", path, async () => (hurried ? undefined : inner.sync())),
    async close() {
      await inner.close();
      await gate("close", path);
    },
  });
  const handle = (inner: DiskHandle, path: string): DiskHandle => ({
    write: (bytes) => writing(path, bytes, inner.write),
    ...ending(inner, path),
  });
  const logHandle = (inner: JournalHandle, path: string): JournalHandle => ({
    write: (bytes, at) => writing(path, bytes, (part) => inner.write(part, at)),
    truncate: (length) => passing("truncate", path, () => inner.truncate(length)),
    ...ending(inner, path),
  });
  return {
    read: (path) => passing("read", path, () => disk.read(path)),
    list: (path) => passing("list", path, () => disk.list(path)),
    makeFolder: (path) => passing("makeFolder", path, () => disk.makeFolder(path)),
    create: (path) => passing("create", path, async () => handle(await disk.create(path), path)),
    openJournal: (path) =>
      passing("create", path, async () => logHandle(await disk.openJournal(path), path)),
    open: (path) => passing("open", path, async () => handle(await disk.open(path), path)),
    rename: (from, to) => passing("rename", to, () => disk.rename(from, to)),
    remove: (path) => passing("remove", path, () => disk.remove(path)),
  };
}

/** A disk with one operation at a time: a copy of the folder made at a gate of `inner` has every listed file. */
export function oneByOne(inner: Disk): Disk {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => {
      const mine = last.then(() => work(...args));
      last = mine.catch(() => undefined);
      return mine;
    };
  };
  const handle = ({ write, sync, close }: DiskHandle): DiskHandle => ({
    write: inTurn(write),
    sync: inTurn(sync),
    close: inTurn(close),
  });
  const logHandle = ({ write, truncate, sync, close }: JournalHandle): JournalHandle => ({
    write: inTurn(write),
    truncate: inTurn(truncate),
    sync: inTurn(sync),
    close: inTurn(close),
  });
  return {
    read: inTurn(inner.read),
    list: inTurn(inner.list),
    makeFolder: inTurn(inner.makeFolder),
    create: inTurn(async (path) => handle(await inner.create(path))),
    openJournal: inTurn(async (path) => logHandle(await inner.openJournal(path))),
    open: inTurn(async (path) => handle(await inner.open(path))),
    rename: inTurn(inner.rename),
    remove: inTurn(inner.remove),
  };
}

/** An error like the disk's. */
export const diskError = (code: string): Error => Object.assign(new Error(code), { code });
