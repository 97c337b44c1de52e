/** Reserves disk space with a file, so that owners can still log in and delete when the disk is full. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pLimit from "p-limit";
import { createFile, type Disk, ignoreMissing } from "./disk.ts";
import { MINUTE } from "../../shared/time.ts";
import { getErrorCode } from "../../shared/errorDetails.ts";

/** The name begins with a dot, so no backup includes the file. */
const RESERVE_FILE = ".reserve";
const BYTES_PER_KB = 1024;
/** The size of a full reserve: enough for many logins and deletions, which each write a few kilobytes twice. */
const MAX_RESERVE_BYTES = 1024 * BYTES_PER_KB;
const MIN_RESERVE_BYTES = 64 * BYTES_PER_KB;
/** The minimum time between two attempts to enlarge an incomplete reserve. */
const GROW_INTERVAL_MS = MINUTE;

export class DiskReserve {
  readonly #path: string;
  /** The current size in bytes. */
  #size = 0;
  #lastAttemptAt = -Infinity;
  /** Allows one write at a time, since two writes together could need more than the reserved space. */
  readonly #limitToOne = pLimit(1);

  constructor(
    private readonly disk: Disk,
    directory: string,
  ) {
    this.#path = join(directory, RESERVE_FILE);
  }

  /** Reserves as much as is free, up to the maximum, unless space is already reserved. Never throws. */
  async allocate(): Promise<void> {
    const storedBytes = await ignoreMissing(this.disk.read(this.#path)).catch(() => undefined);
    this.#size = storedBytes?.length ?? 0;
    if (this.#size === 0) await this.#limitToOne(() => this.#reserve());
  }

  /** Releases the reserved space, runs `work`, and then reserves the space that is left. Throws what `work` throws. */
  withReleasedSpace(work: () => Promise<void>): Promise<void> {
    return this.#limitToOne(async () => {
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

  /** Enlarges the reserve if space is free. Call after a successful write. */
  grow(): void {
    if (this.#size === MAX_RESERVE_BYTES || Date.now() - this.#lastAttemptAt < GROW_INTERVAL_MS)
      return;
    void this.#limitToOne(() => this.#reserve());
  }

  async #reserve(): Promise<void> {
    this.#lastAttemptAt = Date.now();
    const sizes = listReserveSizes(this.#size);
    await this.#remove();
    for (const size of sizes) {
      try {
        // The bytes are random, because some file systems reserve no space for zeros.
        await createFile(this.disk, this.#path, randomBytes(size));
        this.#size = size;
        return;
      } catch {
        await this.#remove();
      }
    }
  }

  async #remove(): Promise<void> {
    this.#size = 0;
    await ignoreMissing(this.disk.remove(this.#path)).catch(() => undefined);
  }
}

/** The sizes to try, largest first. After a small write, one of the two just below the old size usually fits. */
const listReserveSizes = (size: number) =>
  [
    MAX_RESERVE_BYTES,
    size,
    size - 16 * BYTES_PER_KB,
    size - 64 * BYTES_PER_KB,
    size / 2,
    size / 4,
    size / 8,
    MIN_RESERVE_BYTES,
  ].filter((each) => each >= MIN_RESERVE_BYTES);

export const isDiskFull = (error: unknown) =>
  ["ENOSPC", "EDQUOT"].includes(getErrorCode(error) ?? "");
