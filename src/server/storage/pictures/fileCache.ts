/** A cache of files in a local folder, with a maximum size. The oldest files are removed first. */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing, writeDurably } from "../disk/disk.ts";
import { disk } from "../disk/realDisk.ts";
import type { LocalFile } from "./pictureStorage.ts";

export class FileCache {
  /** The size of all cached files in bytes; undefined if the folder has to be read first. */
  #totalBytes: number | undefined;

  /** The folder must be only for this cache, which may remove files in it at any time. */
  constructor(
    private readonly folder: string,
    private readonly maxBytes: number,
  ) {}

  async get(name: string): Promise<LocalFile | undefined> {
    const path = join(this.folder, name);
    const stats = await ignoreMissing(stat(path));
    return stats && { path, size: stats.size };
  }

  /** Adds a file durably. Otherwise, a power failure could leave half a picture, which browsers would cache. */
  async put(name: string, bytes: Uint8Array): Promise<LocalFile> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, name);
    await writeDurably(disk, path, bytes);
    this.#totalBytes =
      this.#totalBytes === undefined
        ? sumSizes(await this.#listFiles())
        : this.#totalBytes + bytes.length;
    if (this.#totalBytes > this.maxBytes) await this.#evict(name);
    return { path, size: bytes.length };
  }

  async removeWhere(matches: (name: string) => boolean): Promise<void> {
    const names = (await ignoreMissing(readdir(this.folder))) ?? [];
    for (const name of names.filter(matches)) await rm(join(this.folder, name), { force: true });
    this.#totalBytes = undefined;
  }

  /** Removes the oldest files until the cache is small enough. `requestedName` stays, since it is about to be sent. */
  async #evict(requestedName: string): Promise<void> {
    const files = await this.#listFiles();
    this.#totalBytes = sumSizes(files);
    for (const { name, size } of files.toSorted((one, other) => one.changedAt - other.changedAt)) {
      if (this.#totalBytes <= this.maxBytes) return;
      if (name === requestedName) continue;
      await rm(join(this.folder, name), { force: true });
      this.#totalBytes -= size;
    }
  }

  async #listFiles() {
    const names = await readdir(this.folder);
    const files = names.map(async (name) => {
      const stats = await ignoreMissing(stat(join(this.folder, name)));
      return { name, size: stats?.size ?? 0, changedAt: stats?.mtimeMs ?? 0 };
    });
    return Promise.all(files);
  }
}

const sumSizes = (files: readonly { readonly size: number }[]) =>
  files.reduce((sum, { size }) => sum + size, 0);
