/** The content of the screen Backups: the backups, how each differs from the site, failures, and what is due next. */
import type {
  BackupLocation,
  BackupsState,
  BackupWarning,
  BackupSummary,
} from "../../../schema/api/backups.ts";
import type { Content } from "../../../schema/index.ts";
import type { Config } from "../../shared/config.ts";
import { compareSummaries, type ContentSummary } from "../contentSummary.ts";
import { type Backup, selectLocal } from "./backupFolder.ts";
import type { Catalog, BackupFailure } from "./catalog.ts";
import { chooseRetention, findNewestGoodBackup, computeBackupPeriod } from "./retention.ts";
import { DAY } from "../../shared/time.ts";

export interface BackupStateContext {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly backups: readonly Backup[];
  readonly now: number;
  /** The time when the site got its first owner, else when this process started; in milliseconds since 1970. */
  readonly firstUsedAt: number;
  readonly runningJob: Exclude<BackupsState["underWay"], null> | undefined;
  /** How many backups the owner wants to keep. */
  readonly ownerSettings?: Content<"backupSettings">;
  readonly zone: string;
}

const RESTORE_TEST_INTERVAL_MS = 30 * DAY;
/** The owner is warned if the newest backup is older than this. */
const MAX_BACKUP_AGE_MS = 2 * DAY;

export function createBackupsState(
  context: BackupStateContext,
  siteSummary: ContentSummary,
): BackupsState {
  const { config, catalog, now } = context;
  // Without BACKUP_S3, the bucket can't be read, so the backups in the bucket are left out.
  const backups = config.backupS3
    ? context.backups
    : selectLocal(context.backups).map((each) => ({ ...each, remoteSize: null }));
  const [daily, weekly, monthly] = chooseRetention(context.ownerSettings, config.backupKeep);
  const newest = findNewestGoodBackup(backups, now);
  return {
    backups: backups.map((each) => createBackupSummary(each, siteSummary)),
    ...createLocations(context),
    every: config.backupEvery,
    keep: { daily, weekly, monthly },
    nextAt: formatDueTime(computeNextBackupTime(context), context),
    underWay: context.runningJob ?? null,
    rehearsal: catalog.rehearsal ?? null,
    nextRehearsalAt: formatDueTime(computeRestoreTestDueTime(catalog, newest?.id, now), context),
    gaveWay: catalog.gaveWay ?? null,
    warning: findWarning(context),
  };
}

const formatDueTime = (time: number, { config, now }: BackupStateContext) =>
  config.backupEvery === null || time <= now ? null : new Date(time).toISOString();

function createBackupSummary(backup: Backup, siteSummary: ContentSummary): BackupSummary {
  const { id, createdAt, localSize, remoteSize, isGood, remarks, summary: backupSummary } = backup;
  return {
    id,
    createdAt,
    size: localSize ?? remoteSize ?? 0,
    isHere: localSize !== null,
    isAway: remoteSize !== null,
    isGood,
    remarks,
    differs: compareSummaries(backupSummary, siteSummary) ?? null,
  };
}

function createLocations({ config, catalog, backups, now }: BackupStateContext) {
  const s3Location = config.backupS3;
  const verifiedBackups = backups.filter((each) => each.isRemoteVerified);
  return {
    here: createLocation(selectLocal(backups), "localSize", catalog.failure, now),
    away: s3Location
      ? {
          ...createLocation(verifiedBackups, "remoteSize", catalog.awayFailure, now),
          name: `${s3Location.bucket} at ${s3Location.endpoint ? new URL(s3Location.endpoint).host : "Amazon S3"}`,
        }
      : null,
  };
}

function createLocation(
  backups: readonly Backup[],
  sizeField: "localSize" | "remoteSize",
  failure: BackupFailure | undefined,
  now: number,
): BackupLocation {
  return {
    count: backups.length,
    bytes: backups.reduce((sum, each) => sum + (each[sizeField] ?? 0), 0),
    lastAt: findNewestGoodBackup(backups, now)?.createdAt ?? null,
    failure: failure ?? null,
  };
}

function computeNextBackupTime({ config, backups, now, zone }: BackupStateContext): number {
  const { start, end } = computeBackupPeriod(now, config.backupEvery ?? 24, zone);
  const newest = findNewestGoodBackup(selectLocal(backups), now);
  return newest && newest.timeMs >= start ? end : now;
}

/** Returns milliseconds since 1970. If the tested backup was bad and a newer one exists, a test is due at once. */
export function computeRestoreTestDueTime(
  { rehearsal }: Catalog,
  newestId: string | undefined,
  now: number,
) {
  if (!rehearsal || (rehearsal.isBad && rehearsal.id !== newestId)) return now;
  const at = Date.parse(rehearsal.at);
  // A time in the future means that the clock was ahead when the last test ran.
  if (at > now) return now;
  return at + (rehearsal.ok ? RESTORE_TEST_INTERVAL_MS : DAY);
}

/** Returns the most serious problem that needs the owner's attention; null if there is none. */
export function findWarning(context: BackupStateContext): BackupWarning | null {
  const { config, catalog, now, firstUsedAt } = context;
  const { here, away } = createLocations(context);
  if (config.backupEvery === null) return null;
  const msWithoutBackup = computeBackupAgeMs(here, now, firstUsedAt);
  if (msWithoutBackup >= MAX_BACKUP_AGE_MS)
    return {
      title: `No backup for ${formatDays(msWithoutBackup)}`,
      message:
        here.failure?.message ??
        "No backup was made, and no error was recorded. Check the server's log.",
    };
  const msWithoutUpload = away ? computeBackupAgeMs(away, now, firstUsedAt) : 0;
  if (away && msWithoutUpload >= MAX_BACKUP_AGE_MS)
    return {
      title: `No off-site backup for ${formatDays(msWithoutUpload)}`,
      message: `${away.failure?.message ?? "No backup was uploaded."} The local backups are fine.`,
    };
  if (catalog.rehearsal && !catalog.rehearsal.ok)
    return {
      title: catalog.rehearsal.isBad
        ? "The last backup can't be restored"
        : "The last restore test couldn't run",
      message: catalog.rehearsal.message,
    };
  return null;
}

/** Returns the age of the newest backup. If there is none: the time in use after a failure, else 0. */
function computeBackupAgeMs(
  { lastAt, failure }: BackupLocation,
  now: number,
  inUseSince: number,
): number {
  if (lastAt) return now - Date.parse(lastAt);
  return failure ? now - inUseSince : 0;
}

const formatDays = (durationMs: number) => `${Math.floor(durationMs / DAY)} days`;
