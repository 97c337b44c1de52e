/**
 * Reserved disk space, so that owners can still log in and delete when the disk is full: released for one such write,
 * and the rest is reserved again at once, before visitors use it.
 */
import { join } from "node:path";
import { createFile, type Disk, orUndefinedIfMissing } from "./disk.ts";
import { MINUTE } from "../../shared/time.ts";
import { errorCode } from "../../shared/errorDetails.ts";

/** Hidden: in no backup. */
const RESERVE_FILE = ".reserve";
const KB_BYTES = 1024;
/** In bytes. A login or a deletion writes a few kilobytes twice. */
const MAX_RESERVE_BYTES = 1024 * KB_BYTES;
const MIN_RESERVE_BYTES = 64 * KB_BYTES;
/** The interval of tries to grow a smaller reserve, in milliseconds. */
const GROW_INTERVAL_MS = MINUTE;

export class DiskReserve {
  readonly #disk: Disk;
  readonly #path: string;
  /** In bytes. */
  #size = 0;
  #lastTryAt = -Infinity;
  /** One at a time: two writes must not count on the same space. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(disk: Disk, directory: string) {
    this.#disk = disk;
    this.#path = join(directory, RESERVE_FILE);
  }

  /**
   * Reserves the space, or as much as is free; call at the start. An existing reserve isn't replaced, though a kill
   * may have left it smaller: `grow` fixes that. Never throws.
   */
  async allocate(): Promise<void> {
    const existing = await orUndefinedIfMissing(this.#disk.read(this.#path)).catch(() => undefined);
    this.#size = existing?.length ?? 0;
    if (this.#size === 0) await this.#runInTurn(() => this.#reserve());
  }

  /** Releases the space for `work`, and reserves what is left. Throws what `work` throws. */
  withReleasedSpace(work: () => Promise<void>): Promise<void> {
    return this.#runInTurn(async () => {
      const size = this.#size;
      await this.#remove();
      try {
        await work();
      } finally {
        this.#size = size;
        await this.#reserve();
      }
    });
  }

  /** After a write that found space: there may be enough for the whole reserve again. */
  grow(): void {
    if (this.#size === MAX_RESERVE_BYTES || Date.now() - this.#lastTryAt < GROW_INTERVAL_MS) return;
    void this.#runInTurn(() => this.#reserve());
  }

  async #reserve(): Promise<void> {
    this.#lastTryAt = Date.now();
    const sizes = reserveSizes(this.#size);
    await this.#remove();
    for (const size of sizes) {
      try {
        // Not zeros, which some file systems don't store.
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
    await orUndefinedIfMissing(this.#disk.remove(this.#path)).catch(() => undefined);
  }

  #runInTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

/** Sizes to try, largest first: nearly all of the old one, so that little of it is left to visitors. */
const reserveSizes = (size: number) =>
  [
    MAX_RESERVE_BYTES,
    size,
    size - 16 * KB_BYTES,
    size - MIN_RESERVE_BYTES,
    size / 2,
    size / 4,
    size / 8,
    MIN_RESERVE_BYTES,
  ]
    .filter((each) => each >= MIN_RESERVE_BYTES)
    .toSorted((one, other) => other - one);

/** The disk is full, or its owner's quota is used up. */
export const isDiskFull = (error: unknown) => ["ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "");

/** `getRandomValues` makes at most 65,536 bytes at once. */
function randomBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1 << 16)
    crypto.getRandomValues(bytes.subarray(at, at + (1 << 16)));
  return bytes;
}
