/** Descriptors kept for the disk, so that visitors' connections can't use up all that there are. */
import { closeSync, fsync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";

const KEPT = 16;

/** Of the process, as its limit is. */
const spare: number[] = [];

/** Sets them aside, as far as there are any; to be called at the start of a site that listens. */
export function keepSpareDescriptors(): void {
  try {
    while (spare.length < KEPT) spare.push(openSync("/dev/null", "r"));
  } catch {
    // There are none left at the moment: the next file that is closed is tried for.
  }
}

const NONE_LEFT = new Set(["EMFILE", "ENFILE"]);

/**
 * Does `work`; where no descriptor was left for it, gives up a spare one and does `again`, which must take
 * it at once: during a wait a connection would.
 */
export async function withSpare<T>(work: () => Promise<T>, again: () => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const given = NONE_LEFT.has(String((error as { code?: unknown }).code)) && spare.pop();
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

/** A file opened by a spare descriptor, which becomes a spare one again when it is closed. */
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
