/**
 * Files in the site's folders that belong to another user, so that the site can't read or write them: usually root's,
 * after a command without `limelightctl`. Without this check they would look like damage.
 */
import { constants, type Stats } from "node:fs";
import { access, lstat, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "../shared/config.ts";
import { errorCode } from "../shared/errorDetails.ts";

const { R_OK, W_OK, X_OK } = constants;

/** One sentence for each folder with such files: data and uploads under `site`, and the backups' folder. */
export async function foreignFiles(config: Config): Promise<{ site: string[]; backups: string[] }> {
  const [data, uploads, backups] = await Promise.all([
    describe(config.dataDir),
    describe(config.uploadsDir),
    describe(config.backupDir),
  ]);
  return { site: [...data, ...uploads], backups };
}

async function describe(folder: string): Promise<string[]> {
  const path = resolve(folder);
  const [first, ...others] = await foreignIn(path);
  if (!first) return [];
  const owner = await nameOf(first.uid);
  const user = await nameOf(process.geteuid?.() ?? 0);
  const files = others.length === 0 ? first.path : `${first.path} and ${others.length} more`;
  return [
    `These files belong to ${owner}, not to ${user}: ${files}. Run as root: chown -R ${user}: ${path}`,
  ];
}

interface Foreign {
  readonly path: string;
  readonly uid: number;
}

async function foreignIn(path: string): Promise<Foreign[]> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isSymbolicLink()) return [];
  if (await isKeptFrom(path, found)) return [{ path, uid: found.uid }];
  if (!found.isDirectory()) return [];
  const inside: Foreign[] = [];
  for (const name of (await readdir(path)).toSorted())
    inside.push(...(await foreignIn(join(path, name)))); // oxlint-disable-line no-await-in-loop -- of years of pictures
  return inside;
}

async function isKeptFrom(path: string, found: Stats): Promise<boolean> {
  if (found.uid === process.geteuid?.()) return false;
  const needed = R_OK | W_OK | (found.isDirectory() ? X_OK : 0);
  return access(path, needed).then(
    () => false,
    (error: unknown) => errorCode(error) !== "ENOENT",
  );
}

/** A user's name on this machine; the number if there is none. */
async function nameOf(uid: number): Promise<string> {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const line = users.split("\n").find((each) => each.split(":")[2] === String(uid));
  return line?.split(":")[0] ?? String(uid);
}
