/** A disk that stores what a kill would leave at every moment. */
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultyDisk, oneByOne, type Operation } from "../server/storage/faultyDisk.ts";

/** Operations that change files. */
const CHANGES = new Set<Operation>(["create", "write", "truncate", "rename", "remove"]);

/** Copies what `directory` returns before each change made `during` some work. */
export async function cutDisk(directory: () => string) {
  const folder = await mkdtemp(join(tmpdir(), "limelight-cuts-"));
  const cuts: string[] = [];
  let isAtIt = false;
  const cut = () => {
    const copy = join(folder, String(cuts.length));
    cpSync(directory(), copy, { recursive: true });
    cuts.push(copy);
  };
  return {
    /** Contains the copies, and has room for more. */
    folder,
    cuts,
    cut,
    disk: oneByOne(
      faultyDisk((operation) => {
        if (isAtIt && CHANGES.has(operation)) cut();
      }, true),
    ),
    async during<T>(work: () => Promise<T>): Promise<T> {
      isAtIt = true;
      return work().finally(() => (isAtIt = false));
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
