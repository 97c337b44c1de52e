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
import type { Catalog, Failure } from "./catalog.ts";
import { effectiveRetention, newestGoodBackup, backupPeriodAt } from "./retention.ts";
import { DAY } from "../../shared/time.ts";

interface StateContext {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly backups: readonly Backup[];
  readonly now: number;
  /** The latest the site can have started. */
  readonly startedAt: number;
  readonly underWay: BackupsState["underWay"];
  /** A failure missing in the catalog, on a full disk for example. */
  readonly unstored: Failure | undefined;
  readonly holds: ContentSummary;
  /** How many backups the owner wants kept. */
  readonly chosen?: Content<"backupSettings">;
  /** The site's time zone. */
  readonly zone: string;
}

const REHEARSED_EVERY = 30 * DAY;
/** How long without success until an owner is warned, in milliseconds. */
const LATE_AFTER = 2 * DAY;

export function stateOf(context: StateContext): BackupsState {
  const { config, catalog, now, underWay } = context;
  // Without the bucket's setting, remote copies are unknown.
  const backups = config.backupS3
    ? context.backups
    : context.backups
        .filter((each) => each.here !== null)
        .map((each) => ({ ...each, away: null, awayChecked: false }));
  const [daily, weekly, monthly] = effectiveRetention(context.chosen, config.backupKeep);
  const location = config.backupS3;
  const here = locationOf(
    backups.filter((each) => each.here !== null),
    (each) => each.here ?? 0,
    context.unstored ?? catalog.failure,
    now,
  );
  const checked = backups.filter((each) => each.isRemoteVerified);
  const away = location && {
    ...locationOf(checked, (each) => each.away ?? 0, catalog.awayFailure, now),
    name: `${location.bucket} at ${location.endpoint ? new URL(location.endpoint).host : "Amazon S3"}`,
  };
  const rehearsal = catalog.rehearsal ?? null;
  return {
    backups: backups.map((each) => summaryOf(each, context.holds)),
    here,
    away: away ?? null,
    every: config.backupEvery,
    keep: { daily, weekly, monthly },
    nextAt: later(nextAt(context), context),
    underWay,
    rehearsal,
    nextRehearsalAt: later(
      restoreTestDueAt(catalog, newestGoodBackup(backups, now)?.id, now),
      context,
    ),
    gaveWay: catalog.gaveWay ?? null,
    warning: warningOf(context, here, away),
  };
}

/** Null if it is due already, or nothing is automatic. */
const later = (moment: number, { config, now }: StateContext) =>
  config.backupEvery === null || moment <= now ? null : new Date(moment).toISOString();

function summaryOf(backup: Backup, now: ContentSummary): BackupSummary {
  const { id, createdAt, here, away, isGood, remarks, summary: holds } = backup;
  const counts = Object.entries(holds ?? {}).flatMap(([key, { count }]) =>
    count === undefined ? [] : [[key, count] as const],
  );
  return {
    id,
    createdAt,
    size: here ?? away ?? 0,
    isHere: here !== null,
    isAway: away !== null,
    isGood,
    remarks,
    counts: holds ? Object.fromEntries(counts) : null,
    differs: compareSummaries(holds, now) ?? null,
  };
}

function locationOf(
  backups: readonly Backup[],
  sizeOf: (backup: Backup) => number,
  failure: Failure | undefined,
  now: number,
): BackupLocation {
  return {
    count: backups.length,
    bytes: backups.reduce((sum, each) => sum + sizeOf(each), 0),
    lastAt: newestGoodBackup(backups, now)?.createdAt ?? null,
    failure: failure ?? null,
  };
}

/** When the next backup is tried: at the start of the next period, or soon if overdue. */
function nextAt({ config, backups, now, zone }: StateContext): number {
  const { start, next } = backupPeriodAt(now, config.backupEvery ?? 24, zone);
  const newest = newestGoodBackup(
    backups.filter((each) => each.here !== null),
    now,
  );
  return newest && newest.at >= start ? next : now;
}

/**
 * When the next restore test is due, in milliseconds since 1970. After a failure, a newer backup is tried at once, and
 * the same one after a day.
 */
export function restoreTestDueAt(
  { rehearsal }: Catalog,
  newest: string | undefined,
  now: number,
): number {
  if (!rehearsal || (rehearsal.isBad && rehearsal.id !== newest)) return now;
  const at = Date.parse(rehearsal.at);
  // Made under a fast clock, it doesn't say when the next is due.
  if (at > now) return now;
  return at + (rehearsal.ok ? REHEARSED_EVERY : DAY);
}

/** The most serious one. */
function warningOf(
  { config, catalog, now, startedAt: beganAt }: StateContext,
  here: BackupLocation,
  away: BackupLocation | undefined,
): BackupWarning | null {
  if (config.backupEvery === null) return null;
  const isLate = (location: BackupLocation) => lateBy(location, now, beganAt) >= LATE_AFTER;
  if (isLate(here))
    return {
      title: `No backup for ${daysOf(lateBy(here, now, beganAt))}`,
      message: here.failure?.message ?? "No backup was made, and we don't know why.",
    };
  if (away && isLate(away))
    return {
      title: `No off-site backup for ${daysOf(lateBy(away, now, beganAt))}`,
      message: `${away.failure?.message ?? "None was uploaded."} The local backups are fine.`,
    };
  if (catalog.rehearsal && !catalog.rehearsal.ok)
    return { title: REHEARSAL[`${catalog.rehearsal.isBad}`], message: catalog.rehearsal.message };
  return null;
}

/** By whether the backup is at fault. */
const REHEARSAL = {
  true: "The last backup can't be restored",
  false: "The last restore test couldn't run",
} as const;

/** A location without any backup or failure is about to get its first. */
function lateBy({ lastAt, failure }: BackupLocation, now: number, beganAt: number): number {
  if (lastAt) return now - Date.parse(lastAt);
  return failure ? now - beganAt : 0;
}

const daysOf = (time: number) => `${Math.floor(time / DAY)} days`;
