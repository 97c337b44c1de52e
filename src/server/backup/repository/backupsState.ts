/** The state of backups for an owner: the list with differences from now, failures, and what is next. */
import type {
  BackupLocation,
  BackupsState,
  BackupWarning,
  BackupSummary,
} from "../../../schema/api/backups.ts";
import type { Content } from "../../../schema/index.ts";
import type { Config } from "../../shared/config.ts";
import { compareSummaries, type ContentSummary } from "../contentSummary.ts";
import type { Backup } from "./backupFolder.ts";
import type { Catalog, BackupFailure } from "./catalog.ts";
import { chooseRetention, findNewestGoodBackup, backupPeriodAt } from "./retention.ts";
import { DAY } from "../../shared/time.ts";

export interface BackupStateContext {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly backups: readonly Backup[];
  readonly now: number;
  /** The latest the site can have started. */
  readonly startedAt: number;
  readonly runningJob: Exclude<BackupsState["underWay"], null> | undefined;
  /** A failure missing in the catalog, on a full disk for example. */
  readonly unstoredFailure: BackupFailure | undefined;
  /** The number of backups that the owner wants to keep. */
  readonly chosen?: Content<"backupSettings">;
  /** The site's time zone. */
  readonly zone: string;
}

const RESTORE_TEST_INTERVAL_MS = 30 * DAY;
/** The time without success after which an owner is warned, in milliseconds. */
const WARN_AFTER_MS = 2 * DAY;

/** The state; `holds`: what the site holds now. */
export function createBackupsState(
  context: BackupStateContext,
  holds: ContentSummary,
): BackupsState {
  const { config, catalog, now } = context;
  // Without the bucket's setting, remote copies are unknown.
  const backups = config.backupS3
    ? context.backups
    : context.backups
        .filter((each) => each.localSize !== null)
        .map((each) => ({ ...each, remoteSize: null }));
  const [daily, weekly, monthly] = chooseRetention(context.chosen, config.backupKeep);
  return {
    backups: backups.map((each) => createBackupSummary(each, holds)),
    ...createLocations(context),
    every: config.backupEvery,
    keep: { daily, weekly, monthly },
    nextAt: futureTimestamp(nextBackupAt(context), context),
    underWay: context.runningJob ?? null,
    rehearsal: catalog.rehearsal ?? null,
    nextRehearsalAt: futureTimestamp(
      restoreTestDueAt(catalog, findNewestGoodBackup(backups, now)?.id, now),
      context,
    ),
    gaveWay: catalog.gaveWay ?? null,
    warning: findWarning(context),
  };
}

/** Null if it is due already, or nothing is automatic. */
const futureTimestamp = (time: number, { config, now }: BackupStateContext) =>
  config.backupEvery === null || time <= now ? null : new Date(time).toISOString();

function createBackupSummary(backup: Backup, now: ContentSummary): BackupSummary {
  const { id, createdAt, localSize, remoteSize, isGood, remarks, summary: holds } = backup;
  return {
    id,
    createdAt,
    size: localSize ?? remoteSize ?? 0,
    isHere: localSize !== null,
    isAway: remoteSize !== null,
    isGood,
    remarks,
    differs: compareSummaries(holds, now) ?? null,
  };
}

function createLocations({ config, catalog, backups, now, unstoredFailure }: BackupStateContext) {
  const location = config.backupS3;
  const local = backups.filter((each) => each.localSize !== null);
  const checked = backups.filter((each) => each.isRemoteVerified);
  const remote = location && {
    ...createLocation(checked, (each) => each.remoteSize ?? 0, catalog.awayFailure, now),
    name: `${location.bucket} at ${location.endpoint ? new URL(location.endpoint).host : "Amazon S3"}`,
  };
  return {
    here: createLocation(
      local,
      (each) => each.localSize ?? 0,
      unstoredFailure ?? catalog.failure,
      now,
    ),
    away: remote ?? null,
  };
}

function createLocation(
  backups: readonly Backup[],
  sizeOf: (backup: Backup) => number,
  failure: BackupFailure | undefined,
  now: number,
): BackupLocation {
  return {
    count: backups.length,
    bytes: backups.reduce((sum, each) => sum + sizeOf(each), 0),
    lastAt: findNewestGoodBackup(backups, now)?.createdAt ?? null,
    failure: failure ?? null,
  };
}

/** When the next backup is tried: at the start of the next period, or soon if overdue. */
function nextBackupAt({ config, backups, now, zone }: BackupStateContext): number {
  const { start, next } = backupPeriodAt(now, config.backupEvery ?? 24, zone);
  const newest = findNewestGoodBackup(
    backups.filter((each) => each.localSize !== null),
    now,
  );
  return newest && newest.at >= start ? next : now;
}

/**
 * The time of the next restore test, in milliseconds since 1970. After a failure, a newer backup is tried at once,
 * and the same one after a day.
 */
export function restoreTestDueAt(
  { rehearsal }: Catalog,
  newest: string | undefined,
  now: number,
): number {
  if (!rehearsal || (rehearsal.isBad && rehearsal.id !== newest)) return now;
  const at = Date.parse(rehearsal.at);
  // Made under a fast clock, it doesn't determine when the next one is due.
  if (at > now) return now;
  return at + (rehearsal.ok ? RESTORE_TEST_INTERVAL_MS : DAY);
}

/** Something that an owner has to do, the most serious one; null when all is well. */
export function findWarning(context: BackupStateContext): BackupWarning | null {
  const { config, catalog, now, startedAt: beganAt } = context;
  const { here, away } = createLocations(context);
  if (config.backupEvery === null) return null;
  const isLate = (location: BackupLocation) => overdueMs(location, now, beganAt) >= WARN_AFTER_MS;
  if (isLate(here))
    return {
      title: `No backup for ${formatDays(overdueMs(here, now, beganAt))}`,
      message:
        here.failure?.message ??
        "No backup was made, and no error was recorded. Check the server's log.",
    };
  if (away && isLate(away))
    return {
      title: `No off-site backup for ${formatDays(overdueMs(away, now, beganAt))}`,
      message: `${away.failure?.message ?? "None was uploaded."} The local backups are fine.`,
    };
  if (catalog.rehearsal && !catalog.rehearsal.ok)
    return {
      title: RESTORE_TEST_WARNINGS[`${catalog.rehearsal.isBad}`],
      message: catalog.rehearsal.message,
    };
  return null;
}

/** By whether the backup is at fault. */
const RESTORE_TEST_WARNINGS = {
  true: "The last backup can't be restored",
  false: "The last restore test couldn't run",
} as const;

/** A location without any backup or failure is about to get its first. */
function overdueMs({ lastAt, failure }: BackupLocation, now: number, beganAt: number): number {
  if (lastAt) return now - Date.parse(lastAt);
  return failure ? now - beganAt : 0;
}

const formatDays = (time: number) => `${Math.floor(time / DAY)} days`;
