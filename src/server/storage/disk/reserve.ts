/**
 * Room that is held on the disk, so that on a full one its owner still gets in and can delete: it is
 * given up for one such write, and what is left of it is taken again at once, before visitors take it.
 */
import { join } from "node:path";
import { codeOf, createFile, type Disk, ifThere } from "./disk.ts";
import { MINUTE } from "../../shared/time.ts";

/** Hidden: no backup holds it. */
const FILE = ".reserve";
const KB = 1024;
/** In bytes. A login or a deletion writes a few kilobytes twice. */
const MOST = 1024 * KB;
const LEAST = 64 * KB;
/** How often a smaller reserve is tried to grow, in milliseconds. */
const GROWS_EVERY = MINUTE;

export class Reserve {
  readonly #disk: Disk;
  readonly #path: string;
  /** In bytes. */
  #size = 0;
  #triedAt = -Infinity;
  /** One at a time: what one write gives up is not counted on by another. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(disk: Disk, directory: string) {
    this.#disk = disk;
    this.#path = join(directory, FILE);
  }

  /**
   * Takes the room, or what there is of it; to be called at the start. What is there of it is kept, though a
   * kill may have left less than all: `grow` makes that good. Never throws.
   */
  async hold(): Promise<void> {
    const there = await ifThere(this.#disk.read(this.#path)).catch(() => undefined);
    this.#size = there?.length ?? 0;
    if (this.#size === 0) await this.#inTurn(() => this.#take());
  }

  /** Does `work` with the room given up, and takes what is left. Throws what `work` throws. */
  spend(work: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      const size = this.#size;
      await this.#remove();
      try {
        await work();
      } finally {
        this.#size = size;
        await this.#take();
      }
    });
  }

  /** After a write that found room: perhaps there is room for the whole reserve again. */
  grow(): void {
    if (this.#size === MOST || Date.now() - this.#triedAt < GROWS_EVERY) return;
    void this.#inTurn(() => this.#take());
  }

  async #take(): Promise<void> {
    this.#triedAt = Date.now();
    const sizes = sizesFrom(this.#size);
    await this.#remove();
    for (const size of sizes) {
      try {
        // Not zeros, which some file systems store as nothing.
        await createFile(this.#disk, this.#path, randomBytes(size));
        this.#size = size;
        return;
      } catch {
        await this.#remove();
      }
    }
  }

  async #remove(): Promise<void> {
    this.#size = 0;
    await ifThere(this.#disk.remove(this.#path)).catch(() => undefined);
  }

  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

/** What is tried, the most first: nearly all of what there was, so that what is given up is not left to visitors. */
const sizesFrom = (size: number) =>
  [MOST, size, size - 16 * KB, size - LEAST, size / 2, size / 4, size / 8, LEAST]
    .filter((each) => each >= LEAST)
    .toSorted((one, other) => other - one);

/** The disk has no room, or its owner's quota is used up. */
export const isFull = (error: unknown) => ["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "");

/** `getRandomValues` makes at most 65,536 bytes at once. */
function randomBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1 << 16)
    crypto.getRandomValues(bytes.subarray(at, at + (1 << 16)));
  return bytes;
}
