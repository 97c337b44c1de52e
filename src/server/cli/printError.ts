/** Prints why a command failed, and what to do. */
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { findAvailableBackups } from "../backup/repository/availableBackups.ts";
import { shortenSiteId } from "../backup/repository/backupFolder.ts";
import type { Config } from "../shared/config.ts";
import { isPermissionError } from "../shared/errorDetails.ts";
import { isDataLoss, Refusal } from "../shared/errors.ts";
import { isJournal, addLevelPrefix } from "../shared/log.ts";
import { createEngine } from "./openSite.ts";
import { replaceWithServiceCommands } from "./serviceCommands.ts";

/** The codes of errors whose message says what to do. Other errors are printed with their stack. */
const EXPECTED_ERROR_CODES = new Set(["cannot_open", "cannot_store", "wrong_setting", "usage"]);

/** EX_CONFIG of sysexits(3): the unit doesn't restart a program with invalid settings. */
const CONFIG_ERROR_EXIT_CODE = 78;

/** Prints why a command failed, and returns its exit code. `config` is undefined if the settings couldn't be read. */
export async function printError(error: unknown, config: Config | undefined, isServing: boolean) {
  const foreignFileMessages =
    config && isPermissionError(error) ? (await findForeignFiles(config)).siteMessages : [];
  const isExpected = error instanceof Refusal && EXPECTED_ERROR_CODES.has(error.code);
  if (foreignFileMessages.length > 0) printErrorLines(foreignFileMessages);
  else if (isExpected) {
    const newestBackupAdvice = config && isDataLoss(error) && (await describeNewestBackup(config));
    printErrorLines(newestBackupAdvice ? [error.message, newestBackupAdvice] : [error.message]);
  } else printErrorLines([(error as Error).stack ?? String(error)]);
  if (!isExpected) return foreignFileMessages.length > 0 ? 2 : 70; // EX_SOFTWARE of sysexits(3): the program's own failure
  if (error.code === "usage") console.error(replaceWithServiceCommands("See: limelight help"));
  return isServing && error.code === "wrong_setting" ? CONFIG_ERROR_EXIT_CODE : 2;
}

function printErrorLines(lines: readonly string[]): void {
  for (const line of lines.map((each) => replaceWithServiceCommands(each)))
    console.error(isJournal(2) ? addLevelPrefix(line, "error") : line);
}

/**
 * Finds files that the site can't use because they belong to another user: usually to root, after a command without
 * `limelightctl`. Otherwise such files would be reported as damaged. Returns a sentence for each folder with such
 * files; `siteMessages` are about data and uploads.
 */
export async function findForeignFiles(config: Config) {
  const [data, uploads, backupMessages] = await Promise.all([
    describeForeignFiles(config.dataDir),
    describeForeignFiles(config.uploadsDir),
    describeForeignFiles(config.backupDir),
  ]);
  return { siteMessages: [...data, ...uploads], backupMessages };
}

const FIND_PATH = "/usr/bin/find";

async function describeForeignFiles(folder: string): Promise<string[]> {
  const path = resolve(folder);
  // Some containers lack find(1). The permission error itself is then shown.
  if (!existsSync(FIND_PATH)) return [];
  const ownerConditions = ["!", "-user", String(process.geteuid?.()), "!", "-type", "l"];
  const accessConditions = ["(", "!", "-readable", "-o", "!", "-writable", ")"];
  const findCommand = [
    FIND_PATH,
    path,
    ...ownerConditions,
    ...accessConditions,
    "-prune",
    "-printf",
    "%p\t%u\n",
  ];
  const lines = (await readCommandOutput(findCommand)).split("\n").filter(Boolean);
  const [first, ...others] = lines.toSorted();
  if (first === undefined) return [];
  const [file = "", owner = ""] = first.split("\t");
  const files = others.length === 0 ? file : `${file} and ${others.length} more`;
  const user = (await readCommandOutput(["/usr/bin/id", "-un"])).trim();
  return [
    `These files belong to ${owner}, not to ${user}: ${files}. Run as root: chown -R ${user}: ${path}`,
  ];
}

const readCommandOutput = (command: string[]) =>
  new Response(Bun.spawn(command, { stdout: "pipe", stderr: "ignore" }).stdout).text();

/**
 * Returns a line about the site's newest backup on this machine; undefined if there is none. If the site's id can't be
 * read, the line is about the newest backup of any site.
 */
export async function describeNewestBackup(config: Config): Promise<string | undefined> {
  const siteId = await createEngine(config)
    .readSiteId()
    .catch(() => undefined);
  const shortSiteId = siteId && shortenSiteId(siteId);
  const localConfig = { ...config, backupS3: undefined };
  const [newest] = await findAvailableBackups(localConfig, shortSiteId).catch(() => []);
  if (!newest) return undefined;
  const file = relative(".", resolve(config.backupDir, newest.fileName));
  const minute = newest.createdAt.slice(0, 16).replace("T", " ");
  return `The newest backup on this machine was made at ${minute} UTC. To restore it: limelight restore ${file}`;
}
