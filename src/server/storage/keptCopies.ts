/** Copies that a restore, a damage or a migration left in a folder: they stay until the owner removes them. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ifThere, syncPath } from "./disk.ts";
import { disk } from "./realDisk.ts";

export interface KeptCopy {
  /** In the folder. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** What left it. */
  readonly by: "a restore" | "a restore that was cut short" | "damage" | "a migration";
}

/** Those in a folder and the folders inside; none when it isn't there. */
export async function keptCopies(folder: string, inside = ""): Promise<KeptCopy[]> {
  const entries = await ifThere(readdir(join(folder, inside), { withFileTypes: true }));
  const found: KeptCopy[] = [];
  for (const entry of (entries ?? []).toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = inside + entry.name;
    const by = keptBy(path);
    if (by) found.push({ path, size: await sizeOf(join(folder, path)), by });
    else if (entry.isDirectory() && !entry.name.startsWith("."))
      found.push(...(await keptCopies(folder, `${path}/`)));
  }
  return found;
}

/** Removes what `keptCopies` found in a folder. The caller holds its lock. */
export async function removeCopies(folder: string, copies: readonly KeptCopy[]): Promise<void> {
  for (const { path } of copies) await rm(join(folder, path), { recursive: true, force: true });
  if (copies.length > 0) await syncPath(disk, folder);
}

function keptBy(path: string): KeptCopy["by"] | undefined {
  if (path.startsWith(".before-restore-")) return "a restore";
  if (path.startsWith(".restore-")) return "a restore that was cut short";
  if (/\.jsonl?(\.bak)?\.bad-\w+$/.test(path)) return "damage";
  return /^migrations\/.*\.json$/.test(path) ? "a migration" : undefined;
}

async function sizeOf(path: string): Promise<number> {
  const found = await ifThere(stat(path));
  if (!found?.isDirectory()) return found?.size ?? 0;
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}
