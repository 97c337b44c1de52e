/** The few calls through which the storage touches the disk, so that tests can make each of them fail. */
import { constants } from "node:fs";
import * as fs from "node:fs/promises";

/** A file made by `create`, or a folder opened for its fsync. */
export interface DiskHandle {
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Errors are Node's, with `code`. */
export interface Disk {
  read(path: string): Promise<Uint8Array>;
  /** Names inside a folder. */
  list(path: string): Promise<string[]>;
  /** 0700, parents included; an existing folder becomes 0700 too. */
  makeFolder(path: string): Promise<void>;
  /** A new file, 0600; EEXIST when there is one. */
  create(path: string): Promise<DiskHandle>;
  openFolder(path: string): Promise<DiskHandle>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

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

  async create(path) {
    const { O_CREAT, O_EXCL, O_WRONLY } = constants;
    const file = await fs.open(path, O_CREAT | O_EXCL | O_WRONLY, PRIVATE_FILE);
    // The mode above is cut by the umask, this one is not.
    await file.chmod(PRIVATE_FILE);
    return handle(file);
  },

  openFolder: async (path) => handle(await fs.open(path, constants.O_RDONLY)),
};

function handle(file: fs.FileHandle): DiskHandle {
  return {
    write: (bytes) => file.writeFile(bytes),
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

/** Node's name of what went wrong (ENOENT, ENOSPC …), if the error has one. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** The names inside a folder; none when there is no such folder. */
export async function listIfThere(from: Disk, path: string): Promise<string[]> {
  return (await ifThere(from.list(path))) ?? [];
}

/** Undefined instead of ENOENT. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
