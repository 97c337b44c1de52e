/** A local file cache with a size limit: the least recently used file is evicted first. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createFile, undefinedIfMissing } from "../disk/disk.ts";
import { disk } from "../disk/realDisk.ts";
import type { LocalFile } from "./pictureStorage.ts";

export class FileCache {
  readonly #folder: string;
  readonly #most: number;
  /** Sizes by name, most recently used last. */
  readonly #sizes = new Map<string, number>();
  #sum = 0;
  #isOpen: Promise<void> | undefined;

  /** `most`: in bytes. The folder belongs to the cache; its files may be removed at any time. */
  constructor(folder: string, most: number) {
    this.#folder = folder;
    this.#most = most;
  }

  /** Undefined without a copy. */
  async get(name: string): Promise<LocalFile | undefined> {
    await this.#open();
    if (!this.#sizes.has(name)) return undefined;
    const path = join(this.#folder, name);
    const stats = await undefinedIfMissing(stat(path));
    if (!stats) {
      this.#forget(name);
      return undefined;
    }
    this.#note(name, stats.size);
    return { path, size: stats.size };
  }

  /** Throws what the disk throws. */
  async put(name: string, bytes: Uint8Array): Promise<LocalFile> {
    await this.#open();
    const path = join(this.#folder, name);
    // Synced before it is renamed: a power failure must not leave half a picture, which browsers cache.
    const temporary = join(this.#folder, `${name}.${randomUUID()}.tmp`);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    try {
      await createFile(disk, temporary, bytes);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    this.#note(name, bytes.length);
    await this.#shrink(name);
    return { path, size: bytes.length };
  }

  async drop(isUnwanted: (name: string) => boolean): Promise<void> {
    await this.#open();
    for (const name of [...this.#sizes.keys()].filter(isUnwanted)) await this.#remove(name);
  }

  #open(): Promise<void> {
    return (this.#isOpen ??= this.#readFolder());
  }

  async #readFolder(): Promise<void> {
    const names = (await undefinedIfMissing(readdir(this.#folder))) ?? [];
    const files = await Promise.all(
      names.map(async (name) => ({
        name,
        stat: await undefinedIfMissing(stat(join(this.#folder, name))),
      })),
    );
    for (const { name, stat } of files.toSorted((a, b) => at(a.stat) - at(b.stat)))
      if (name.endsWith(".tmp")) await rm(join(this.#folder, name), { force: true });
      else if (stat) this.#note(name, stat.size);
    await this.#shrink();
  }

  /** Never removes the file about to be sent. */
  async #shrink(spared?: string): Promise<void> {
    for (const name of this.#sizes.keys()) {
      if (this.#sum <= this.#most) return;
      if (name !== spared) await this.#remove(name);
    }
  }

  async #remove(name: string): Promise<void> {
    this.#forget(name);
    await rm(join(this.#folder, name), { force: true });
  }

  #note(name: string, size: number): void {
    this.#forget(name);
    this.#sizes.set(name, size);
    this.#sum += size;
  }

  #forget(name: string): void {
    this.#sum -= this.#sizes.get(name) ?? 0;
    this.#sizes.delete(name);
  }
}

const at = (file: { readonly mtimeMs: number } | undefined) => file?.mtimeMs ?? 0;
