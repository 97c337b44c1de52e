/** `limelight restore`: restores a file, or a backup in BACKUP_DIR or the bucket, by its name or with `--newest`. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { readSecretKeys } from "../backup/encryption.ts";
import {
  type AvailableBackup,
  findAvailableBackups,
  describeBackupLocations,
  withArchive,
} from "../backup/repository/availableBackups.ts";
import { parseArchiveName, shortenSiteId } from "../backup/repository/backupFolder.ts";
import { restoreArchive } from "../backup/restore.ts";
import type { Config } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import { type Command, printLine } from "./command.ts";
import { createEngine, createPictureStorage, withSiteLock } from "./openSite.ts";

export const restoreCommand: Command = {
  name: "restore",
  usage: "<file.tar.gz>|<backup name>|--newest [--key <file>] [--site <id>]",
  acceptsArguments: true,
  summary:
    "restores a local or off-site backup (with your key if it is encrypted); the previous data is kept next to the restored data; --newest restores the newest backup; --key is the file with your secret key; --site chooses a site if there are backups of several",
  flags: { "--key": "value", "--newest": "switch", "--site": "value" },
  run: runRestore,
};

async function runRestore(
  config: Config,
  [file, ...extraArguments]: readonly string[],
  flags: ReadonlyMap<string, string>,
): Promise<number> {
  const isNewest = flags.has("--newest");
  if (isNewest ? file !== undefined : !file || extraArguments.length > 0)
    throw wrongUsage(
      "Specify what to restore: limelight restore site.tar.gz, or limelight restore --newest",
    );
  const key = flags.get("--key");
  const secretKeys = key === undefined ? [] : await readSecretKeys(key);
  const data = createEngine(config);
  await withSiteLock(data, async () => {
    const site = { data, uploads: createPictureStorage(config) };
    const restoreFile = (archive: string) => restoreArchive(archive, site, secretKeys);
    const chosenBackup =
      file !== undefined && existsSync(file) ? undefined : await chooseBackup(config, file, flags);
    if (chosenBackup?.localSize === null && key === undefined)
      throw wrongUsage(createKeyNeededMessage(chosenBackup.fileName));
    if (chosenBackup) printLine(`Restoring ${chosenBackup.fileName}.`);
    const result = await (chosenBackup
      ? withArchive(config, chosenBackup, restoreFile)
      : restoreFile(assertDefined(file, "archive")));
    const { files, createdAt, replacedDataName } = result;
    printLine(`Restored ${files} files, as they were on ${createdAt}.`);
    printLine(result.areErasuresReapplied ? ERASURES_REPEATED_MESSAGE : REPEAT_ERASURES_MESSAGE);
    if (!result.isSecretCarried) printLine(SECRET_MISSING_MESSAGE);
    if (replacedDataName)
      printLine(
        `The previous data is in ${replacedDataName}, next to data and pictures. Once everything works, delete it with: limelight doctor --remove-copies`,
      );
  });
  return 0;
}

/**
 * Returns the backup with this name; undefined if `file` isn't the name of a backup. Without `file`, returns the newest
 * backup of this site or, on a machine without a site, of the only site with backups. Throws `usage` if there is none.
 */
async function chooseBackup(
  config: Config,
  file: string | undefined,
  flags: ReadonlyMap<string, string>,
): Promise<AvailableBackup | undefined> {
  const name = file === undefined ? undefined : basename(file).replace(/\.age$/, "");
  if (name !== undefined && !parseArchiveName(name)) return undefined;
  const siteId = await createEngine(config).readSiteId();
  const shortSiteId = flags.get("--site") ?? (siteId && shortenSiteId(siteId));
  const backups = await findAvailableBackups(config, name === undefined ? shortSiteId : undefined);
  const [newest] = name === undefined ? backups : backups.filter((each) => each.fileName === name);
  const siteIds = new Set(backups.map(({ shortSiteId }) => shortSiteId));
  if (name === undefined && siteIds.size > 1)
    throw wrongUsage(
      `There are backups of several sites: ${[...siteIds].join(", ")}. Choose one with --site; limelight backup --list lists them.`,
    );
  if (newest) return newest;
  const missing = name
    ? "This backup wasn't found"
    : shortSiteId
      ? `No backup of site ${shortSiteId} was found`
      : "No backup was found";
  throw wrongUsage(
    `${missing} in ${describeBackupLocations(config)}. To list the backups: limelight backup --list`,
  );
}

const createKeyNeededMessage = (name: string) =>
  `${name} is an off-site backup, encrypted with your key. Pass the key file: limelight restore ${name} --key key.txt`;

const ERASURES_REPEATED_MESSAGE =
  "At the next start, people you erased after this backup are erased again. Anyone who unsubscribed stays unsubscribed.";
const REPEAT_ERASURES_MESSAGE =
  "There is no record of who was erased or unsubscribed after this backup. Erase those people again in the dashboard.";
const SECRET_MISSING_MESSAGE =
  "This machine doesn't have the key of the site in this backup, and backups don't include it. Everyone has to log in again. In the dashboard, enter the email password again, create a new webhook secret, and turn on notifications again on each device.";
