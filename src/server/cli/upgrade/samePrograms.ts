/**
 * Several sites of a machine have a program each. Those that are the same are one file with several names, so that they
 * take the room of one, on the disk and in memory: a system keeps one copy of a file's pages, however many run it.
 */
import { link, readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../storage/disk/disk.ts";
import { hashOf } from "./minisign.ts";
import { PROGRAMS } from "../install/places.ts";

/**
 * Gives the name `path` to the program of another site that holds what `file` does, and returns whether there is one.
 * `not`: a program whose own file it may not be, since the two are told apart by it.
 */
export async function linkSame(
  file: string,
  path: string,
  { not, folder = PROGRAMS }: { readonly not?: string; readonly folder?: string } = {},
): Promise<boolean> {
  const { size, ino } = await stat(file);
  const kept = not === undefined ? undefined : await ifThere(stat(not));
  const seen = new Set([ino, kept?.ino]);
  let hash: string | undefined;
  for (const other of await programsIn(folder)) {
    const found = await stat(other);
    if (found.size !== size || seen.has(found.ino)) continue;
    seen.add(found.ino);
    hash ??= hexOf(await hashOf(file));
    if (hexOf(await hashOf(other)) !== hash) continue;
    await link(other, `${path}.same`);
    await rename(`${path}.same`, path);
    return true;
  }
  return false;
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

async function programsIn(folder: string): Promise<string[]> {
  const names = (await ifThere(readdir(folder))) ?? [];
  const all = names.map((name) => join(folder, name, "limelight"));
  const there = await Promise.all(all.map((path) => ifThere(stat(path))));
  return all.filter((_, at) => there[at] !== undefined);
}
