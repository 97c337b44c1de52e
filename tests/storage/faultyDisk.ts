/** The real disk behind a gate that sees every operation and may make it fail. */
import { disk, type Disk, type DiskHandle } from "../../src/server/storage/disk.ts";

export type Operation =
  | "read"
  | "list"
  | "makeFolder"
  | "create"
  | "openFolder"
  | "link"
  | "rename"
  | "remove"
  | "write"
  | "sync"
  | "close";

/**
 * `gate` throws to make the operation fail; a refused write leaves half of its bytes behind.
 * `hurried` passes fsync to the gate only: where the power never fails nobody can see the difference.
 */
export function faultyDisk(
  gate: (operation: Operation, path: string) => void,
  hurried = false,
): Disk {
  const handle = (inner: DiskHandle, path: string): DiskHandle => ({
    async write(bytes) {
      try {
        gate("write", path);
      } catch (error) {
        await inner.write(bytes.subarray(0, bytes.length / 2));
        throw error;
      }
      await inner.write(bytes);
    },
    async sync() {
      gate("sync", path);
      if (!hurried) await inner.sync();
    },
    async close() {
      await inner.close();
      gate("close", path);
    },
  });
  return {
    read: async (path) => (gate("read", path), await disk.read(path)),
    list: async (path) => (gate("list", path), await disk.list(path)),
    makeFolder: async (path) => (gate("makeFolder", path), await disk.makeFolder(path)),
    create: async (path) => (gate("create", path), handle(await disk.create(path), path)),
    openFolder: async (path) => (
      gate("openFolder", path),
      handle(await disk.openFolder(path), path)
    ),
    link: async (from, to) => (gate("link", to), await disk.link(from, to)),
    rename: async (from, to) => (gate("rename", to), await disk.rename(from, to)),
    remove: async (path) => (gate("remove", path), await disk.remove(path)),
  };
}

/** An error as the disk raises it. */
export const diskError = (code: string): Error => Object.assign(new Error(code), { code });
