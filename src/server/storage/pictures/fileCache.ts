/** A local file cache with a size limit: the oldest file is evicted first. */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { orUndefinedIfMissing, writeDurably } from "../disk/disk.ts";
import { disk } from "../disk/realDisk.ts";
import type { LocalFile } from "./pictureStorage.ts";

export class FileCache {
  /** In bytes; undefined until the folder is read. */
  #totalBytes: number | undefined;

  /** `max`: in bytes. The folder belongs to the cache; its files may be removed at any time. */
  constructor(
    private readonly folder: string,
    private readonly max: number,
  ) {}

  /** Undefined without a copy. */
  async get(name: string): Promise<LocalFile | undefined> {
    const path = join(this.folder, name);
    const stats = await orUndefinedIfMissing(stat(path));
    return stats && { path, size: stats.size };
  }

  /** Durable, since a power failure must not leave half a picture, which browsers cache. Throws what the disk throws. */
  async put(name: string, bytes: Uint8Array): Promise<LocalFile> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, name);
    await writeDurably(disk, path, bytes);
    this.#totalBytes =
      this.#totalBytes === undefined ? sumOf(await this.#files()) : this.#totalBytes + bytes.length;
    if (this.#totalBytes > this.max) await this.#shrink(name);
    return { path, size: bytes.length };
  }

  async removeUnwanted(isUnwanted: (name: string) => boolean): Promise<void> {
    const names = (await orUndefinedIfMissing(readdir(this.folder))) ?? [];
    for (const name of names.filter(isUnwanted)) await rm(join(this.folder, name), { force: true });
    this.#totalBytes = undefined;
  }

  /** Never removes the file about to be sent. */
  async #shrink(spared: string): Promise<void> {
    const files = await this.#files();
    this.#totalBytes = sumOf(files);
    for (const { name, size } of files.toSorted((one, other) => one.madeAt - other.madeAt)) {
      if (this.#totalBytes <= this.max) return;
      if (name === spared) continue;
      await rm(join(this.folder, name), { force: true });
      this.#totalBytes -= size;
    }
  }

  async #files() {
    const names = await readdir(this.folder);
    const files = names.map(async (name) => {
      const stats = await orUndefinedIfMissing(stat(join(this.folder, name)));
      return { name, size: stats?.size ?? 0, madeAt: stats?.mtimeMs ?? 0 };
    });
    return Promise.all(files);
  }
}

const sumOf = (files: readonly { readonly size: number }[]) =>
  files.reduce((sum, { size }) => sum + size, 0);
