/** Pictures in a folder on a disk. */
import { chmod, lstat, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  createFile,
  type Disk,
  ensureFolder,
  orUndefinedIfMissing,
  syncPath,
  writeDurably,
} from "../disk/disk.ts";
import { disk as realDisk } from "../disk/realDisk.ts";
import {
  checkPermissions,
  readFolderFiles,
  createFolderContents,
  findLeftoverCopies,
  removeCopies,
} from "../files/folderContents.ts";
import { createSaveProbe } from "../disk/saveProbe.ts";
import type { PictureStorage } from "./pictureStorage.ts";

/** The folder may be missing. */
export function createFolderStorage(folder: string, disk: Disk = realDisk): PictureStorage {
  const at = (name: string) => join(folder, name);
  const statsOf = (name: string) => orUndefinedIfMissing(lstat(at(name)));
  return {
    label: `The uploads folder ${folder}`,
    setting: "UPLOADS_DIR",
    folder,
    async prepare() {
      await ensureFolder(disk, folder);
      await chmod(folder, 0o700);
    },
    listNames: async () => (await orUndefinedIfMissing(readdir(folder))) ?? [],
    async listFiles() {
      const names = (await orUndefinedIfMissing(readdir(folder))) ?? [];
      const all = await Promise.all(
        names.map(async (name) => ({ name, stat: await statsOf(name) })),
      );
      return all.flatMap(({ name, stat }) =>
        stat?.isFile() ? [{ name, size: stat.size, changedAt: stat.mtimeMs }] : [],
      );
    },
    read: (name, end) =>
      orUndefinedIfMissing(end === undefined ? disk.read(at(name)) : readBeginning(at(name), end)),
    async fetchLocalFile(name) {
      const stat = await statsOf(name);
      return stat?.isFile() ? { path: at(name), size: stat.size } : undefined;
    },
    limitCacheTo() {},
    async add(files) {
      for (const { path, bytes } of files) await createFile(disk, at(path), bytes);
      await syncPath(disk, folder);
    },
    put: (name, bytes) => writeDurably(disk, at(name), bytes),
    async rename(from, to) {
      await orUndefinedIfMissing(rename(at(from), at(to)));
      await syncPath(disk, folder);
    },
    async remove(names) {
      for (const name of names) await rm(at(name), { force: true });
      await syncPath(disk, folder);
    },
    health: createSaveProbe(disk, folder),
    examine: () => checkPermissions(folder),
    readOtherFiles: (except, leftOut) => readFolderFiles(folder, { except, leftOut }),
    createContents: () => createFolderContents(folder),
    findCopies: () => findLeftoverCopies(folder),
    removeCopies: (copies) => removeCopies(folder, copies),
  };
}

async function readBeginning(path: string, end: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
