/** Names the newest backup where something is lost or damaged. */
import { relative, resolve } from "node:path";
import { availableBackups } from "../backup/kept/available.ts";
import { shortIdOf } from "../backup/kept/backupFolder.ts";
import type { Config } from "../shared/config.ts";
import { DAY, HOUR, MINUTE } from "../shared/time.ts";
import { engineOf } from "./openSite.ts";

/** A line about this site's newest backup on this machine; undefined when there is none. */
export async function newestBackupAdvice(config: Config): Promise<string | undefined> {
  const siteId = await engineOf(config)
    .siteId()
    .catch(() => undefined);
  const site = siteId && shortIdOf(siteId);
  const here = { ...config, backupS3: undefined };
  const [newest] = await availableBackups(here, site).catch(() => []);
  if (!newest) return undefined;
  const { name, createdAt } = newest;
  const file = relative(".", resolve(config.backupDir, name));
  const age = ageOf(Date.now() - Date.parse(createdAt));
  return `The newest backup here is ${age} old: limelight restore ${file}`;
}

const UNITS = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
] as const;

/** In the largest unit of which there are at least two, since rounding 1.5 down would lose a third. */
function ageOf(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= 2 * each) ?? ["minute", MINUTE];
  const count = Math.max(1, Math.floor(ms / length));
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
