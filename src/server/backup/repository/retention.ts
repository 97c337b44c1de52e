/** Computes when a backup is due and which backups are kept. Uses only existing backups, so a restart loses nothing. */

import type { Content } from "../../../schema/index.ts";
import { toZonedTime } from "../../shared/clock.ts";
import { DAY, HOUR } from "../../shared/time.ts";

/** How many backups are kept, in the order of BACKUP_KEEP. */
export type RetentionCounts = readonly [daily: number, weekly: number, monthly: number];

/** Returns what the owner chose on the screen Backups, else `defaultRetention`, which is BACKUP_KEEP. */
export function chooseRetention(
  ownerSettings: Content<"backupSettings"> | undefined,
  defaultRetention: RetentionCounts,
): RetentionCounts {
  const [daily, weekly, monthly] = defaultRetention;
  return [
    ownerSettings?.daily ?? daily,
    ownerSettings?.weekly ?? weekly,
    ownerSettings?.monthly ?? monthly,
  ];
}

export interface DatedBackup {
  /** When the backup was made, in milliseconds since 1970. */
  readonly timeMs: number;
  /** False once a restore test has shown that no site starts from it. */
  readonly isGood: boolean;
}

/** When a day begins for backups, in the site's zone: few visitors come, and owners see the result in the morning. */
const PERIOD_START = Temporal.PlainTime.from("03:00");
/** Clock corrections are smaller than this. A backup dated further in the future was made with a wrong clock. */
const CLOCK_TOLERANCE_MS = HOUR;

/** Returns the start and end of the current period of `intervalHours`, in milliseconds since 1970. */
export function computeBackupPeriod(now: number, intervalHours: number, zone: string) {
  const today = toZonedTime(now, zone).toPlainDate();
  const computePeriodStart = (days: number) =>
    today.add({ days }).toZonedDateTime({ timeZone: zone, plainTime: PERIOD_START })
      .epochMilliseconds;
  const [dayStart, dayEnd] =
    now < computePeriodStart(0)
      ? [computePeriodStart(-1), computePeriodStart(0)]
      : [computePeriodStart(0), computePeriodStart(1)];
  // On a day of 23 or 25 hours the last period is shorter or longer.
  const lastPeriod = 24 / intervalHours - 1;
  const passedPeriods = Math.min(lastPeriod, Math.floor((now - dayStart) / (intervalHours * HOUR)));
  const start = dayStart + passedPeriods * intervalHours * HOUR;
  return { start, end: passedPeriods === lastPeriod ? dayEnd : start + intervalHours * HOUR };
}

/** True if the current period has no good backup. */
export function isBackupNeeded(
  backups: readonly DatedBackup[],
  now: number,
  intervalHours: number,
  zone: string,
): boolean {
  const { start } = computeBackupPeriod(now, intervalHours, zone);
  return !backups.some(
    ({ timeMs, isGood }) => isGood && timeMs >= start && !isFromFuture(timeMs, now),
  );
}

/** Returns the newest good backup, ignoring backups dated in the future. */
export function findNewestGoodBackup<B extends DatedBackup>(backups: readonly B[], now: number) {
  const good = backups.filter(({ timeMs, isGood }) => isGood && !isFromFuture(timeMs, now));
  return good.toSorted((one, other) => other.timeMs - one.timeMs)[0];
}

const isFromFuture = (at: number, now: number) => at > now + CLOCK_TOLERANCE_MS;

/**
 * Selects the backups to keep: all good backups of the last 24 hours, the newest good backup of each of the last days,
 * weeks and months that have one, and always the newest good backup. A backup dated in the future is kept until that
 * time.
 */
export function selectBackupsToRetain<B extends DatedBackup>(
  backups: readonly B[],
  now: number,
  [daily, weekly, monthly]: RetentionCounts,
  zone: string,
): Set<B> {
  const newest = findNewestGoodBackup(backups, now);
  // If no backup is good, all are kept, since a bad backup is better than none.
  if (!newest) return new Set(backups);
  const retained = new Set(backups.filter(({ timeMs }) => isFromFuture(timeMs, now)));
  retained.add(newest);
  const usable = backups
    .filter(({ timeMs, isGood }) => isGood && !isFromFuture(timeMs, now))
    .toSorted((one, other) => other.timeMs - one.timeMs);
  for (const each of usable) if (now - each.timeMs < DAY) retained.add(each);
  for (const [limit, getPeriodName] of [
    [daily, getDayName],
    [weekly, getWeekName],
    [monthly, getMonthName],
  ] as const) {
    const newestByPeriod = new Map<string, B>();
    for (const each of usable) {
      const period = getPeriodName(toZonedTime(each.timeMs, zone).toPlainDate());
      if (!newestByPeriod.has(period) && newestByPeriod.size < limit)
        newestByPeriod.set(period, each);
    }
    for (const each of newestByPeriod.values()) retained.add(each);
  }
  return retained;
}

const getDayName = (day: Temporal.PlainDate) => day.toString();
/** A week is named after its Monday. */
const getWeekName = (day: Temporal.PlainDate) =>
  getDayName(day.subtract({ days: day.dayOfWeek - 1 }));
const getMonthName = (day: Temporal.PlainDate) => day.toPlainYearMonth().toString();

/** Milliseconds until the next try after this many failures in a row: 15 minutes, doubled up to six hours. */
export function computeBackupRetryDelayMs(failures: number): number {
  return Math.min(6 * HOUR, (HOUR / 4) * 2 ** (failures - 1));
}
