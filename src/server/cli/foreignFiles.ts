/**
 * Files in the site's folders that belong to another user, so that the site can't read or write them: usually root's,
 * after a command without `limelightctl`. Without this check they would be reported as damaged.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../shared/config.ts";

/** One sentence for each folder with such files: data and uploads under `site`, and the backups' folder. */
export async function findForeignFiles(
  config: Config,
): Promise<{ site: string[]; backups: string[] }> {
  const [data, uploads, backups] = await Promise.all([
    describeForeignFiles(config.dataDir),
    describeForeignFiles(config.uploadsDir),
    describeForeignFiles(config.backupDir),
  ]);
  return { site: [...data, ...uploads], backups };
}

const FIND_PATH = "/usr/bin/find";

/** Inaccessible files of other users, as find(1) lists them: each with its owner's name. */
async function describeForeignFiles(folder: string): Promise<string[]> {
  const path = resolve(folder);
  // A container may lack it; the error itself is shown then.
  if (!existsSync(FIND_PATH)) return [];
  const foreign = ["!", "-user", String(process.geteuid?.()), "!", "-type", "l"];
  const denied = ["(", "!", "-readable", "-o", "!", "-writable", ")"];
  const find = [FIND_PATH, path, ...foreign, ...denied, "-prune", "-printf", "%p\t%u\n"];
  const lines = (await runForOutput(find)).split("\n").filter(Boolean);
  const [first, ...others] = lines.toSorted();
  if (first === undefined) return [];
  const [file = "", owner = ""] = first.split("\t");
  const files = others.length === 0 ? file : `${file} and ${others.length} more`;
  const user = (await runForOutput(["/usr/bin/id", "-un"])).trim();
  return [
    `These files belong to ${owner}, not to ${user}: ${files}. Run as root: chown -R ${user}: ${path}`,
  ];
}

const runForOutput = (command: string[]) =>
  new Response(Bun.spawn(command, { stdout: "pipe", stderr: "ignore" }).stdout).text();
