/** Stores pictures in a folder. */
import { chmod, lstat, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  createFile,
  type Disk,
  ensureFolder,
  ignoreMissing,
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
  const getPath = (name: string) => join(folder, name);
  const listNames = async () => (await ignoreMissing(readdir(folder))) ?? [];
  const readStats = (name: string) => ignoreMissing(lstat(getPath(name)));
  return {
    label: `The uploads folder ${folder}`,
    setting: "UPLOADS_DIR",
    folder,
    async prepare() {
      await ensureFolder(disk, folder);
      await chmod(folder, 0o700);
    },
    listNames,
    async listFiles() {
      const files = await Promise.all(
        (await listNames()).map(async (name) => ({ name, stat: await readStats(name) })),
      );
      return files.flatMap(({ name, stat }) =>
        stat?.isFile() ? [{ name, size: stat.size, changedAt: stat.mtimeMs }] : [],
      );
    },
    read: (name, end) =>
      ignoreMissing(
        end === undefined ? disk.read(getPath(name)) : readBeginning(getPath(name), end),
      ),
    async fetchLocalFile(name) {
      const stat = await readStats(name);
      return stat?.isFile() ? { path: getPath(name), size: stat.size } : undefined;
    },
    pruneCache() {},
    async add(files) {
      for (const { path, bytes } of files) await createFile(disk, getPath(path), bytes);
      await syncPath(disk, folder);
    },
    put: (name, bytes) => writeDurably(disk, getPath(name), bytes),
    async rename(from, to) {
      await ignoreMissing(rename(getPath(from), getPath(to)));
      await syncPath(disk, folder);
    },
    async remove(names) {
      for (const name of names) await rm(getPath(name), { force: true });
      await syncPath(disk, folder);
    },
    checkHealth: createSaveProbe(disk, folder),
    examine: () => checkPermissions(folder),
    readArchivableFiles: (isExcluded, reportExcluded) =>
      readFolderFiles(folder, { isExcluded, reportExcluded }),
    createReplaceableContents: () => createFolderContents(folder),
    findLeftoverCopies: () => findLeftoverCopies(folder),
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
