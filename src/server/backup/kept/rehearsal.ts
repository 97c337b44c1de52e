/** The restore test: a backup is only worth what starts from it, so the newest is tried regularly. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { join } from "node:path";
import type { Config } from "../../shared/config.ts";
import { isOfTheMachine } from "../../shared/errorDetails.ts";
import { cannotOpen, isRefusal, reasonIn, Refusal } from "../../shared/errors.ts";
import {
  backupsIn,
  givingWay,
  lockBackups,
  archiveName,
  folderRefusal,
  removeBackups,
} from "./backupFolder.ts";
import { readCatalog, writeCatalog } from "./catalog.ts";
import { newestGoodBackup } from "./retention.ts";

/**
 * Tries the newest local backup with `tryOut`, which starts a site from it elsewhere and discards that, and records the
 * result in the catalog. A backup that doesn't start no longer counts. Returns the archive's file; throws what `tryOut`
 * throws, and `cannot_open` without a backup.
 */
export async function testNewestBackup(
  { backupDir: folder, backupFree }: Config,
  site: string,
  tryOut: (file: string) => Promise<void>,
  now = Date.now(),
): Promise<string> {
  const release = await lockBackups(folder);
  try {
    const catalog = await readCatalog(folder, site);
    const here = (await backupsIn(folder, site, catalog)).filter((each) => each.here !== null);
    const newest = newestGoodBackup(here, now);
    if (!newest)
      throw cannotOpen('There is no backup to test yet. Make one with "limelight backup".');
    const file = join(folder, archiveName(site, newest.id));
    const note = async (ok: boolean, message: string, isBad: boolean) => {
      const entry = { size: newest.here, remarks: [], ...catalog.backups[newest.id], isBad };
      await writeCatalog(folder, site, {
        ...catalog,
        backups: { ...catalog.backups, [newest.id]: entry },
        rehearsal: { at: new Date(now).toISOString(), id: newest.id, ok, message, isBad },
      }).catch((error: unknown) => {
        throw folderRefusal(folder, error);
      });
    };
    let isTried = false;
    try {
      const going = await givingWay(
        folder,
        SPREAD * assertDefined(newest.here, "size"),
        backupFree,
        here,
      );
      await removeBackups(folder, site, going);
      isTried = true;
      await tryOut(file);
    } catch (error) {
      // Lack of space, for example, says nothing about the archive.
      const isBad = isTried && isRefusal(error, "cannot_open") && !isOfTheMachine(error);
      const message = error instanceof Refusal ? error.message : `It failed: ${reasonIn(error)}.`;
      await note(false, message, isBad);
      throw error;
    }
    await note(true, "The newest backup was restored, and the site started.", false);
    return file;
  } finally {
    release();
  }
}

/** How much larger an archive gets unpacked: pictures hardly compress, text does. */
const SPREAD = 3;
