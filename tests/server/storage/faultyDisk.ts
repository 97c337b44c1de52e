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
 * A refused write leaves half of its bytes. `shouldSkipSync` passes fsync to the gate only, since without power failures it
 * makes no difference.
 */
export function createFaultyDisk(gate: Gate, shouldSkipSync = false): Disk {
  const passGate = <T>(operation: Operation, path: string, work: () => Promise<T>) =>
    Promise.resolve(path)
      .then((name) => gate(operation, name))
      .then(work);
  const writeThroughGate = async (path: string, bytes: Uint8Array, write: DiskHandle["write"]) => {
    try {
      await gate("write", path);
    } catch (error) {
      await write(bytes.subarray(0, bytes.length / 2));
      throw error;
    }
    await write(bytes);
  };
  const wrapSyncAndClose = (inner: Pick<DiskHandle, "sync" | "close">, path: string) => ({
    sync: () => passGate("sync", path, async () => (shouldSkipSync ? undefined : inner.sync())),
    async close() {
      await inner.close();
      await gate("close", path);
    },
  });
  const wrapHandle = (inner: DiskHandle, path: string): DiskHandle => ({
    write: (bytes) => writeThroughGate(path, bytes, inner.write),
    ...wrapSyncAndClose(inner, path),
  });
  const wrapJournal = (inner: JournalHandle, path: string): JournalHandle => ({
    write: (bytes, at) => writeThroughGate(path, bytes, (part) => inner.write(part, at)),
    truncate: (length) => passGate("truncate", path, () => inner.truncate(length)),
    ...wrapSyncAndClose(inner, path),
  });
  return {
    read: (path) => passGate("read", path, () => disk.read(path)),
    list: (path) => passGate("list", path, () => disk.list(path)),
    makeFolder: (path) => passGate("makeFolder", path, () => disk.makeFolder(path)),
    create: (path) =>
      passGate("create", path, async () => wrapHandle(await disk.create(path), path)),
    openJournal: (path) =>
      passGate("create", path, async () => wrapJournal(await disk.openJournal(path), path)),
    open: (path) => passGate("open", path, async () => wrapHandle(await disk.open(path), path)),
    rename: (from, to) => passGate("rename", to, () => disk.rename(from, to)),
    remove: (path) => passGate("remove", path, () => disk.remove(path)),
  };
}

/** A disk with one operation at a time: a copy of the folder made at a gate of `inner` has every listed file. */
export function serializeOperations(inner: Disk): Disk {
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => {
      const result = last.then(() => work(...args));
      last = result.catch(() => undefined);
      return result;
    };
  };
  const wrapHandle = ({ write, sync, close }: DiskHandle): DiskHandle => ({
    write: enqueue(write),
    sync: enqueue(sync),
    close: enqueue(close),
  });
  const wrapJournal = ({ write, truncate, sync, close }: JournalHandle): JournalHandle => ({
    write: enqueue(write),
    truncate: enqueue(truncate),
    sync: enqueue(sync),
    close: enqueue(close),
  });
  return {
    read: enqueue(inner.read),
    list: enqueue(inner.list),
    makeFolder: enqueue(inner.makeFolder),
    create: enqueue(async (path) => wrapHandle(await inner.create(path))),
    openJournal: enqueue(async (path) => wrapJournal(await inner.openJournal(path))),
    open: enqueue(async (path) => wrapHandle(await inner.open(path))),
    rename: enqueue(inner.rename),
    remove: enqueue(inner.remove),
  };
}

/** An error like the disk's. */
export const createDiskError = (code: string): Error => Object.assign(new Error(code), { code });
