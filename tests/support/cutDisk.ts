/** A disk that records, at every moment, the files that a kill would leave. */
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFaultyDisk,
  serializeOperations,
  type Operation,
} from "../server/storage/faultyDisk.ts";

/** Operations that change files. */
const CHANGING_OPERATIONS = new Set<Operation>(["create", "write", "truncate", "rename", "remove"]);

/** Creates a disk that copies the folder that `directory` returns, before each change made `during` some work. */
export async function createCutDisk(directory: () => string) {
  const folder = await mkdtemp(join(tmpdir(), "limelight-cuts-"));
  const cuts: string[] = [];
  let isRecording = false;
  const cut = () => {
    const copy = join(folder, String(cuts.length));
    cpSync(directory(), copy, { recursive: true });
    cuts.push(copy);
  };
  return {
    /** The folder of the copies, in which tests can create more. */
    folder,
    cuts,
    cut,
    disk: serializeOperations(
      createFaultyDisk((operation) => {
        if (isRecording && CHANGING_OPERATIONS.has(operation)) cut();
      }, true),
    ),
    async during<T>(work: () => Promise<T>): Promise<T> {
      isRecording = true;
      return work().finally(() => (isRecording = false));
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
