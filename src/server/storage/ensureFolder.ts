/** Makes a private folder whose name is still there after the power fails. */
import { dirname } from "node:path";
import { ifThere, type Disk } from "./disk.ts";
import { syncFolder } from "./writeDurably.ts";

/** Does nothing to a folder that is there. Raises FailedSync and what the disk raises. */
export async function ensureFolder(disk: Disk, path: string): Promise<void> {
  if (await ifThere(disk.list(path))) return;
  const parent = dirname(path);
  if (parent !== path) await ensureFolder(disk, parent);
  await disk.makeFolder(path);
  await syncFolder(disk, parent);
}
