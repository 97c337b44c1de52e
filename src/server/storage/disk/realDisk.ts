/** The disk's real calls. */
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { closeQuietly, type Disk, type DiskHandle } from "./disk.ts";

const NEW_FILE_FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
const LOG_FILE_FLAGS = constants.O_CREAT | constants.O_WRONLY | constants.O_DSYNC;
const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;

export const disk: Disk = {
  read: (path) => fs.readFile(path),
  list: (path) => fs.readdir(path),
  link: (from, to) => fs.link(from, to),
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.unlink(path),

  async makeFolder(path) {
    await fs.mkdir(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
    await fs.chmod(path, PRIVATE_FOLDER_MODE);
  },

  create: (path) => restrictOrClose(path, openFile(path, NEW_FILE_FLAGS)),

  async openLog(path) {
    const file = await fs.open(path, LOG_FILE_FLAGS, PRIVATE_FILE_MODE);
    // The umask restricts the mode passed to open, but not this one.
    await fs.chmod(path, PRIVATE_FILE_MODE).catch(async (error: unknown) => {
      await closeQuietly(file);
      throw error;
    });
    return {
      write: (bytes, at) => writeAtOffset(file, bytes, at),
      truncate: (length) => file.truncate(length),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  },

  open: (path) => openFile(path, constants.O_RDONLY),
};

/** A new file that nobody else can read, or none. */
async function restrictOrClose<F extends { close(): Promise<void> }>(
  path: string,
  made: Promise<F>,
): Promise<F> {
  const file = await made;
  try {
    // The umask restricts the mode passed to open, but not this one.
    await fs.chmod(path, PRIVATE_FILE_MODE);
    return file;
  } catch (error) {
    await closeQuietly(file);
    await fs.unlink(path).catch(() => {});
    throw error;
  }
}

const openFile = async (path: string, flags: number): Promise<DiskHandle> =>
  createHandle(await fs.open(path, flags, PRIVATE_FILE_MODE));

const createHandle = (file: fs.FileHandle): DiskHandle => ({
  write: (bytes) => file.writeFile(bytes),
  sync: () => file.sync(),
  close: () => file.close(),
});

async function writeAtOffset(file: fs.FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}
