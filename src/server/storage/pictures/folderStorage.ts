/** Pictures in a folder. */
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

export function createFolderStorage(folder: string, disk: Disk = realDisk): PictureStorage {
  const pathOf = (name: string) => join(folder, name);
  const readStats = (name: string) => orUndefinedIfMissing(lstat(pathOf(name)));
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
        names.map(async (name) => ({ name, stat: await readStats(name) })),
      );
      return all.flatMap(({ name, stat }) =>
        stat?.isFile() ? [{ name, size: stat.size, changedAt: stat.mtimeMs }] : [],
      );
    },
    read: (name, end) =>
      orUndefinedIfMissing(
        end === undefined ? disk.read(pathOf(name)) : readBeginning(pathOf(name), end),
      ),
    async fetchLocalFile(name) {
      const stat = await readStats(name);
      return stat?.isFile() ? { path: pathOf(name), size: stat.size } : undefined;
    },
    limitCacheTo() {},
    async add(files) {
      for (const { path, bytes } of files) await createFile(disk, pathOf(path), bytes);
      await syncPath(disk, folder);
    },
    put: (name, bytes) => writeDurably(disk, pathOf(name), bytes),
    async rename(from, to) {
      await orUndefinedIfMissing(rename(pathOf(from), pathOf(to)));
      await syncPath(disk, folder);
    },
    async remove(names) {
      for (const name of names) await rm(pathOf(name), { force: true });
      await syncPath(disk, folder);
    },
    health: createSaveProbe(disk, folder),
    examine: () => checkPermissions(folder),
    readOtherFiles: (except, reportExcluded) => readFolderFiles(folder, { except, reportExcluded }),
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
