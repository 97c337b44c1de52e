/** The disk's real calls. */
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { closeQuietly, type Disk, type DiskHandle } from "./disk.ts";

const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
const LOG_FILE = constants.O_CREAT | constants.O_WRONLY | constants.O_DSYNC;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

export const disk: Disk = {
  read: (path) => fs.readFile(path),
  list: (path) => fs.readdir(path),
  link: (from, to) => fs.link(from, to),
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.unlink(path),

  async makeFolder(path) {
    await fs.mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
    await fs.chmod(path, PRIVATE_FOLDER);
  },

  create: (path) => holdOpen(path, opened(path, NEW_FILE)),

  async openLog(path) {
    const file = await fs.open(path, LOG_FILE, PRIVATE_FILE);
    // The umask restricts the mode passed to open, but not this one.
    await fs.chmod(path, PRIVATE_FILE).catch(async (error: unknown) => {
      await closeQuietly(file);
      throw error;
    });
    return {
      write: (bytes, at) => writeAt(file, bytes, at),
      truncate: (length) => file.truncate(length),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  },

  open: (path) => opened(path, constants.O_RDONLY),
};

/** A new file that nobody else can read, or none. */
async function holdOpen<F extends { close(): Promise<void> }>(
  path: string,
  made: Promise<F>,
): Promise<F> {
  const file = await made;
  try {
    // The umask restricts the mode passed to open, but not this one.
    await fs.chmod(path, PRIVATE_FILE);
    return file;
  } catch (error) {
    await closeQuietly(file);
    await fs.unlink(path).catch(() => {});
    throw error;
  }
}

const opened = async (path: string, flags: number): Promise<DiskHandle> =>
  handleOf(await fs.open(path, flags, PRIVATE_FILE));

const handleOf = (file: fs.FileHandle): DiskHandle => ({
  write: (bytes) => file.writeFile(bytes),
  sync: () => file.sync(),
  close: () => file.close(),
});

async function writeAt(file: fs.FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}
