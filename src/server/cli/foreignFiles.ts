/**
 * Finds files in the site's folders that the site can't read or write because they belong to another user: usually to
 * root, after a command without `limelightctl`. Without this check they would be reported as damaged.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../shared/config.ts";

/** A sentence for each folder with such files. `site` is about data and uploads. */
export async function findForeignFiles(config: Config) {
  const [data, uploads, backups] = await Promise.all([
    describeForeignFiles(config.dataDir),
    describeForeignFiles(config.uploadsDir),
    describeForeignFiles(config.backupDir),
  ]);
  return { site: [...data, ...uploads], backups };
}

const FIND_PATH = "/usr/bin/find";

/** One sentence, or none if find(1) finds no such file. */
async function describeForeignFiles(folder: string): Promise<string[]> {
  const path = resolve(folder);
  // Some containers lack find(1). Then the error that the files cause is shown.
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
