/** Implements `Disk` with the system's calls, and makes hard links. */
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { closeQuietly, type Disk, type DiskHandle, syncPath, createTemporaryPath } from "./disk.ts";

const NEW_FILE_FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
const JOURNAL_FLAGS = constants.O_CREAT | constants.O_WRONLY | constants.O_DSYNC;
const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;

export const disk: Disk = {
  read: (path) => fs.readFile(path),
  list: (path) => fs.readdir(path),
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.unlink(path),

  async makeFolder(path) {
    await fs.mkdir(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
    await fs.chmod(path, PRIVATE_FOLDER_MODE);
  },

  create: async (path) => createHandle(await openPrivateFile(path, NEW_FILE_FLAGS)),

  async openJournal(path) {
    const file = await openPrivateFile(path, JOURNAL_FLAGS);
    return {
      ...createHandle(file),
      write: (bytes, offset) => writeAtOffset(file, bytes, offset),
      truncate: (length) => file.truncate(length),
    };
  },

  open: async (path) => createHandle(await fs.open(path, constants.O_RDONLY)),
};

export const linkOrCopy = (from: string, to: string): Promise<void> =>
  fs.link(from, to).catch(() => fs.copyFile(from, to));

/** Like `linkOrCopy`, but replaces an existing file atomically. The caller must sync the folder. */
export async function replaceWithLinkOrCopy(from: string, to: string): Promise<void> {
  const temporaryPath = createTemporaryPath(to);
  try {
    await linkOrCopy(from, temporaryPath);
    await syncPath(disk, temporaryPath);
    await fs.rename(temporaryPath, to);
  } finally {
    // If `to` already is a link to the same file, the rename did nothing (POSIX), and the temporary name remains.
    await fs.rm(temporaryPath, { force: true });
  }
}

async function openPrivateFile(path: string, flags: number): Promise<fs.FileHandle> {
  const file = await fs.open(path, flags, PRIVATE_FILE_MODE);
  // The umask may have removed permissions from the mode that was passed to `open`.
  await fs.chmod(path, PRIVATE_FILE_MODE).catch(async (error: unknown) => {
    await closeQuietly(file);
    throw error;
  });
  return file;
}

const createHandle = (file: fs.FileHandle): DiskHandle => ({
  write: (bytes) => file.writeFile(bytes),
  sync: () => file.sync(),
  close: () => file.close(),
});

async function writeAtOffset(
  file: fs.FileHandle,
  bytes: Uint8Array,
  offset: number,
): Promise<void> {
  for (let written = 0; written < bytes.length;)
    written += (await file.write(bytes, written, bytes.length - written, offset + written))
      .bytesWritten;
}
