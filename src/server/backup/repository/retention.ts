/** The schedule and the retention of backups. Derived from existing ones, so that it survives restarts. */

import type { Content } from "../../../schema/index.ts";
import { inZone } from "../../shared/clock.ts";
import { DAY, HOUR } from "../../shared/time.ts";

/** As in BACKUP_KEEP. */
export type RetentionCounts = readonly [daily: number, weekly: number, monthly: number];

/** The owner's choice, else BACKUP_KEEP. */
export function chooseRetention(
  chosen: Content<"backupSettings"> | undefined,
  usual: RetentionCounts,
): RetentionCounts {
  const [daily, weekly, monthly] = usual;
  return [chosen?.daily ?? daily, chosen?.weekly ?? weekly, chosen?.monthly ?? monthly];
}

/** The parts of a backup that matter here. */
export interface DatedBackup {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** False once a restore test showed that no site starts from it. */
  readonly isGood: boolean;
}

/** In the site's zone: few visitors come then, and owners check in the morning. */
const PERIOD_START = Temporal.PlainTime.from("03:00");
/** Clock corrections go back by less. A backup further ahead was made under a wrong clock. */
const CLOCK_TOLERANCE_MS = HOUR;

/** The start of the current period of `every` hours in a time zone, and of the next. */
export function backupPeriodAt(
  now: number,
  every: number,
  zone: string,
): { start: number; next: number } {
  const today = inZone(now, zone).toPlainDate();
  const threeIn = (days: number) =>
    today.add({ days }).toZonedDateTime({ timeZone: zone, plainTime: PERIOD_START })
      .epochMilliseconds;
  const [from, until] = now < threeIn(0) ? [threeIn(-1), threeIn(0)] : [threeIn(0), threeIn(1)];
  // Days with 23 or 25 hours have a shorter or longer last period.
  const last = 24 / every - 1;
  const passed = Math.min(last, Math.floor((now - from) / (every * HOUR)));
  const start = from + passed * every * HOUR;
  return { start, next: passed === last ? until : start + every * HOUR };
}

/** Whether none is of the current period. */
export function isBackupNeeded(
  backups: readonly DatedBackup[],
  now: number,
  every: number,
  zone: string,
): boolean {
  const { start } = backupPeriodAt(now, every, zone);
  return !backups.some(({ at, isGood }) => isGood && at >= start && !isFromFuture(at, now));
}

/** The last good one, which counts as success; undefined without any. */
export function findNewestGoodBackup<B extends DatedBackup>(
  backups: readonly B[],
  now: number,
): B | undefined {
  const good = backups.filter(({ at, isGood }) => isGood && !isFromFuture(at, now));
  return good.toSorted((one, other) => other.at - one.at)[0];
}

const isFromFuture = (at: number, now: number) => at > now + CLOCK_TOLERANCE_MS;

/**
 * The backups to retain: all of the last 24 hours, the newest of each of the last days, weeks and months that have
 * one, and always the newest good one. Those dated in the future by a wrong clock are retained until then.
 */
export function selectBackupsToRetain<B extends DatedBackup>(
  backups: readonly B[],
  now: number,
  [daily, weekly, monthly]: RetentionCounts,
  zone: string,
): Set<B> {
  const newest = findNewestGoodBackup(backups, now);
  // Without a good one, nothing can replace the existing ones.
  if (!newest) return new Set(backups);
  const retained = new Set(backups.filter(({ at }) => isFromFuture(at, now)));
  retained.add(newest);
  const past = backups
    .filter(({ at, isGood }) => isGood && !isFromFuture(at, now))
    .toSorted((one, other) => other.at - one.at);
  for (const each of past) if (now - each.at < DAY) retained.add(each);
  for (const [limit, periodOf] of [
    [daily, dayKey],
    [weekly, weekKey],
    [monthly, monthKey],
  ] as const) {
    const firstOf = new Map<string, B>();
    for (const each of past) {
      const period = periodOf(inZone(each.at, zone).toPlainDate());
      if (!firstOf.has(period) && firstOf.size < limit) firstOf.set(period, each);
    }
    for (const each of firstOf.values()) retained.add(each);
  }
  return retained;
}

const dayKey = (day: Temporal.PlainDate) => day.toString();
/** Named after its Monday. */
const weekKey = (day: Temporal.PlainDate) => dayKey(day.subtract({ days: day.dayOfWeek - 1 }));
const monthKey = (day: Temporal.PlainDate) => day.toPlainYearMonth().toString();

/** The delay after this many failures in a row, in milliseconds: from 15 minutes up to six hours. */
export function backupRetryDelayMs(failures: number): number {
  return Math.min(6 * HOUR, (HOUR / 4) * 2 ** (failures - 1));
}
