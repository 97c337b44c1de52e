/** Advice for a site whose data is lost or damaged: its newest backup. */
import { relative, resolve } from "node:path";
import { findAvailableBackups } from "../backup/repository/availableBackups.ts";
import { shortenSiteId } from "../backup/repository/backupFolder.ts";
import type { Config } from "../shared/config.ts";
import { createEngine } from "./openSite.ts";

/** A line about the newest backup on this machine; undefined without one. If the site's id can't be read, of any site. */
export async function describeNewestBackup(config: Config): Promise<string | undefined> {
  const siteId = await createEngine(config)
    .readSiteId()
    .catch(() => undefined);
  const site = siteId && shortenSiteId(siteId);
  const localConfig = { ...config, backupS3: undefined };
  const [newest] = await findAvailableBackups(localConfig, site).catch(() => []);
  if (!newest) return undefined;
  const file = relative(".", resolve(config.backupDir, newest.name));
  const made = newest.createdAt.slice(0, 16).replace("T", " ");
  return `The newest backup on this machine was made at ${made} UTC. To restore it: limelight restore ${file}`;
}
