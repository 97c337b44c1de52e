/** Computes when a backup is due and which backups are kept. Depends only on the existing backups and the time. */

import type { Content } from "../../../schema/index.ts";
import { toZonedTime } from "../../shared/clock.ts";
import { DAY, HOUR } from "../../shared/time.ts";

export type RetentionCounts = readonly [daily: number, weekly: number, monthly: number];

/** Returns the owner's numbers from the screen Backups, else those of BACKUP_KEEP. */
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
  /** In milliseconds since 1970. */
  readonly timeMs: number;
  /** False once a restore test has shown that no site starts from the backup. */
  readonly isGood: boolean;
}

/** A backup day begins at this time in the site's time zone, when there are few visitors. */
const PERIOD_START = Temporal.PlainTime.from("03:00");
/** A backup dated more than this in the future was made with a wrong clock. Usual clock corrections are smaller. */
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
  // The last period is shorter or longer on a day of 23 or 25 hours.
  const lastPeriod = 24 / intervalHours - 1;
  const passedPeriods = Math.min(lastPeriod, Math.floor((now - dayStart) / (intervalHours * HOUR)));
  const start = dayStart + passedPeriods * intervalHours * HOUR;
  return { start, end: passedPeriods === lastPeriod ? dayEnd : start + intervalHours * HOUR };
}

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
 * Selects the backups to keep: the newest good backup, all good backups of the last 24 hours, and the newest good
 * backup of each of the last days, weeks and months with backups. A backup dated in the future is kept until that time.
 */
export function selectBackupsToRetain<B extends DatedBackup>(
  backups: readonly B[],
  now: number,
  [daily, weekly, monthly]: RetentionCounts,
  zone: string,
): Set<B> {
  const newest = findNewestGoodBackup(backups, now);
  // If no backup is good, keeps all, because a bad backup is better than none.
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
const getWeekName = (day: Temporal.PlainDate) =>
  getDayName(day.subtract({ days: day.dayOfWeek - 1 }));
const getMonthName = (day: Temporal.PlainDate) => day.toPlainYearMonth().toString();

/** Returns 15 minutes, doubled with each further failure up to six hours. */
export function computeBackupRetryDelayMs(failures: number): number {
  return Math.min(6 * HOUR, (HOUR / 4) * 2 ** (failures - 1));
}
