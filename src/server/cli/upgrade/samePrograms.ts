/**
 * Each of several sites on a machine has its own program. Identical ones are hard links to one file, which saves disk
 * space and memory: the system keeps one copy of a file's pages, however many processes run it.
 */
import { link, open, readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../storage/disk/disk.ts";
import { PROGRAMS } from "../install/installedPaths.ts";

/**
 * Links `path` to another site's identical program, and returns whether there is one. `not`: a program whose file it
 * must not share, since the two are told apart by it.
 */
export async function linkSame(
  file: string,
  path: string,
  { not, folder = PROGRAMS }: { readonly not?: string; readonly folder?: string } = {},
): Promise<boolean> {
  const { size, ino } = await stat(file);
  const kept = not === undefined ? undefined : await ifThere(stat(not));
  const seen = new Set([ino, kept?.ino]);
  for (const other of await programsIn(folder)) {
    const found = await stat(other);
    if (found.size !== size || seen.has(found.ino)) continue;
    seen.add(found.ino);
    if (!(await holdTheSame(file, other))) continue;
    await link(other, `${path}.same`);
    await rename(`${path}.same`, path);
    return true;
  }
  return false;
}

const AT_ONCE = 1 << 20;

/** Compares two files of the same length. Most differ early. */
async function holdTheSame(one: string, other: string): Promise<boolean> {
  const files = [await open(one), await open(other)] as const;
  try {
    const [here, there] = [Buffer.alloc(AT_ONCE), Buffer.alloc(AT_ONCE)];
    for (let at = 0; ;) {
      const { bytesRead } = await files[0].read(here, 0, AT_ONCE, at); // oxlint-disable-line no-await-in-loop
      const read = await files[1].read(there, 0, AT_ONCE, at); // oxlint-disable-line no-await-in-loop
      if (read.bytesRead !== bytesRead || !here.equals(there)) return false;
      if (bytesRead === 0) return true;
      at += bytesRead;
    }
  } finally {
    for (const each of files) await each.close(); // oxlint-disable-line no-await-in-loop
  }
}

async function programsIn(folder: string): Promise<string[]> {
  const names = (await ifThere(readdir(folder))) ?? [];
  const all = names.map((name) => join(folder, name, "limelight"));
  const there = await Promise.all(all.map((path) => ifThere(stat(path))));
  return all.filter((_, at) => there[at] !== undefined);
}
