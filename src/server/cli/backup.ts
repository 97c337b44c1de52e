/**
 * `limelight backup`: makes a backup in BACKUP_DIR or in the named file. A serving site runs this command with
 * `--by-site` and a job: `due` makes a backup only if the current period has none; `now` and `extra` always do. `due`
 * and `now` also remove old backups, as BACKUP_KEEP says.
 */
import { writeFile } from "node:fs/promises";
import { createKeyPair, assertValidRecipients } from "../backup/encryption.ts";
import {
  findAvailableBackups,
  describeBackupLocations,
} from "../backup/repository/availableBackups.ts";
import { createBackup } from "../backup/repository/createBackup.ts";
import { saveArchive } from "../backup/saveArchive.ts";
import type { SiteStorage } from "../backup/writeArchive.ts";
import type { Config } from "../shared/config.ts";
import { cannotOpen, isRefusal, wrongUsage } from "../shared/errors.ts";
import { formatColumns, type Command, printLine } from "./command.ts";
import { createEngine, createPictureStorage, assertSiteExists } from "./openSite.ts";
import { getErrorCode } from "../shared/errorDetails.ts";

export const backupCommand: Command = {
  name: "backup",
  usage: "[<file.tar.gz>] [--list] [--test-restore [<file>]] [--new-key <file>]",
  acceptsArguments: true,
  summary:
    "saves content, submissions and pictures as one archive, in BACKUP_DIR or the given file; --list lists the backups; --test-restore starts a site from the newest backup, or the file, in a temporary folder; --new-key writes a new secret key to the file and prints its public key",
  flags: {
    "--by-site": "value",
    "--list": "switch",
    "--new-key": "value",
    "--test-restore": "switch",
  },
  run: runBackup,
};

type Flags = ReadonlyMap<string, string>;

const DAMAGED_EXIT_CODE = 4;

/** Returns 1 if nothing was saved, 3 if the upload failed, 4 if a picture is damaged or missing, else 0. */
async function runBackup(
  config: Config,
  [file, ...extraArguments]: readonly string[],
  flags: Flags,
) {
  if (extraArguments.length > 0) throw wrongUsage("Specify one file: limelight backup site.tar.gz");
  assertOneTask(file, flags);
  const keyFile = flags.get("--new-key");
  if (keyFile !== undefined) return createKeyFile(keyFile);
  if (flags.has("--test-restore"))
    return (await import("./restoreTest.ts")).runRestoreTest(config, file);
  if (flags.has("--list")) return listBackups(config);
  const data = createEngine(config);
  const site = { data, uploads: createPictureStorage(config) };
  try {
    await assertSiteExists(data);
    return file === undefined
      ? await backUpToFolder(config, site, flags)
      : await saveArchiveAs(file, site);
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
    console.error(error.message);
    return 1;
  }
}

/** Throws `usage` if the arguments name more than one task. */
function assertOneTask(file: string | undefined, flags: Flags): void {
  const tasks = ["--list", "--test-restore", "--new-key"].filter((name) => flags.has(name));
  if (tasks.length > 1) throw wrongUsage("Specify one of --list, --test-restore and --new-key.");
  if (file === undefined) return;
  if (flags.has("--list")) throw wrongUsage("--list takes no file: limelight backup --list");
  if (flags.has("--new-key"))
    throw wrongUsage("--new-key takes one file: limelight backup --new-key key.txt");
}

/** Lists the backups of all sites, since a new machine has no site yet. */
async function listBackups(config: Config): Promise<number> {
  const backups = await findAvailableBackups(config);
  const rows = backups.map(({ fileName, createdAt, localSize, remoteSize }) => {
    const minute = createdAt.slice(0, 16).replace("T", " ");
    return [minute, formatSize(localSize), formatSize(remoteSize), fileName];
  });
  const table = formatColumns([["UTC", "Local", "Off-site", "Name"], ...rows]);
  const emptyMessage = `No backups found in ${describeBackupLocations(config)}.`;
  for (const line of rows.length > 0 ? table : [emptyMessage]) printLine(line);
  return 0;
}

const formatSize = (bytes: number | null) =>
  bytes === null ? "" : `${Math.ceil(bytes / 1024).toLocaleString("en")} KB`;

async function backUpToFolder(config: Config, site: SiteStorage, flags: Flags): Promise<number> {
  if (config.backupKey) await assertValidRecipients(config.backupKey);
  const jobKind = flags.get("--by-site");
  const [canRemoveBackups, isForced] = [jobKind === "now" || jobKind === "due", jobKind !== "due"];
  const options = { config, site, isForced, canRemoveBackups, report: printLine };
  const { localFailure, remoteFailure, hasDamage } = await createBackup(options);
  if (jobKind === undefined && !config.backupS3 && !localFailure && !remoteFailure)
    printLine("The backup is only on this machine: BACKUP_S3 isn't set for this command.");
  for (const failure of [remoteFailure, localFailure]) if (failure) console.error(failure);
  return localFailure ? 1 : remoteFailure ? 3 : hasDamage ? DAMAGED_EXIT_CODE : 0;
}

async function saveArchiveAs(file: string, site: SiteStorage): Promise<number> {
  const { size, remarks, hasDamage } = await saveArchive(file, site);
  for (const remark of remarks) console.error(remark);
  printLine(`Saved ${file} (${Math.ceil(size / 1024)} KB).`);
  return hasDamage ? DAMAGED_EXIT_CODE : 0;
}

/** Writes a new secret key to a file in the format of age-keygen, and prints the public key. */
async function createKeyFile(file: string): Promise<number> {
  const keyPair = await createKeyPair();
  const text = `# created: ${new Date().toISOString()}\n# public key: ${keyPair.public}\n${keyPair.secret}\n`;
  await writeFile(file, text, { mode: 0o600, flag: "wx" }).catch((error: unknown) => {
    const reason = getErrorCode(error) === "EEXIST" ? "it already exists" : getErrorCode(error);
    throw cannotOpen(`${file} can't be written: ${reason}. Specify another file.`, error);
  });
  printLine(
    `${file} contains your key. Store it in two places other than this machine, then delete it here.`,
  );
  printLine("Without this key, nobody can read an encrypted backup, not even you.");
  printLine(`BACKUP_KEY=${keyPair.public}`);
  return 0;
}
