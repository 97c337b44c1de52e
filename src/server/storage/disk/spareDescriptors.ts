/** File descriptors reserved for the disk, so that visitors' connections can't use up all. */
import { closeSync, fsync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { codeOf } from "../../shared/caught.ts";

const KEPT = 16;

/** Per process, like the limit. */
const spare: number[] = [];

/** Reserves them, as far as available; call at the start of a site that listens. */
export function keepSpareDescriptors(): void {
  try {
    while (spare.length < KEPT) spare.push(openSync("/dev/null", "r"));
  } catch {
    // None are left now: the next closed file is tried for.
  }
}

const NONE_LEFT = new Set(["EMFILE", "ENFILE"]);

/**
 * Runs `work`; if that had no descriptor, releases a spare one and calls `again`, which must use it synchronously:
 * during a wait a connection would.
 */
export async function withSpare<T>(work: () => Promise<T>, again: () => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const given = NONE_LEFT.has(codeOf(error) ?? "") && spare.pop();
    if (!given) throw error;
    closeSync(given);
    try {
      return again();
    } finally {
      keepSpareDescriptors();
    }
  }
}

const sync = promisify(fsync);

/** A file opened with a spare descriptor, which is reserved again when closed. */
export function spareHandle(descriptor: number) {
  return {
    async write(bytes: Uint8Array): Promise<void> {
      for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
    },
    sync: () => sync(descriptor),
    async close(): Promise<void> {
      closeSync(descriptor);
      keepSpareDescriptors();
    },
  };
}
