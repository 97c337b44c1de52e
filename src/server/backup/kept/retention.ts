/** When a backup is due, and which ones stay. Derived from what is there, so that it survives restarts. */

import type { Content } from "../../../schema/index.ts";
import { inZone } from "../../shared/clock.ts";
import { DAY, HOUR } from "../../shared/time.ts";

/** As in BACKUP_KEEP. */
export type Keep = readonly [daily: number, weekly: number, monthly: number];

/** What an owner chose, else what BACKUP_KEEP says. */
export function keepOf(chosen: Content<"backupSettings"> | undefined, usual: Keep): Keep {
  const [daily, weekly, monthly] = usual;
  return [chosen?.daily ?? daily, chosen?.weekly ?? weekly, chosen?.monthly ?? monthly];
}

/** A backup as far as it matters here. */
export interface Dated {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** False when a rehearsal has shown that no site starts from it. */
  readonly isGood: boolean;
  /** It isn't removed before, in milliseconds since 1970. */
  readonly keptUntil?: number | undefined;
}

/** In the site's own time: few visitors come, and owners look in the morning. */
const FIRST_HOUR = Temporal.PlainTime.from("03:00");
/** A clock that is put right goes back by less. What is further ahead was made under a wrong clock. */
const TOLERANCE_MS = HOUR;

/** When the present stretch of `every` hours began in a time zone, and the next begins. */
export function slotAt(now: number, every: number, zone: string): { start: number; next: number } {
  const today = inZone(now, zone).toPlainDate();
  const threeIn = (days: number) =>
    today.add({ days }).toZonedDateTime({ timeZone: zone, plainTime: FIRST_HOUR })
      .epochMilliseconds;
  const [from, until] = now < threeIn(0) ? [threeIn(-1), threeIn(0)] : [threeIn(0), threeIn(1)];
  // A day has 23 or 25 hours twice a year; its last stretch is the shorter or longer one.
  const last = 24 / every - 1;
  const passed = Math.min(last, Math.floor((now - from) / (every * HOUR)));
  const start = from + passed * every * HOUR;
  return { start, next: passed === last ? until : start + every * HOUR };
}

/** Whether none of them is of the present stretch. */
export function isDue(
  backups: readonly Dated[],
  now: number,
  every: number,
  zone: string,
): boolean {
  const { start } = slotAt(now, every, zone);
  return !backups.some(({ at, isGood }) => isGood && at >= start && !isAhead(at, now));
}

/** The good one that counts as the last success; undefined when there is none. */
export function newestOf<B extends Dated>(backups: readonly B[], now: number): B | undefined {
  const good = backups.filter(({ at, isGood }) => isGood && !isAhead(at, now));
  return good.toSorted((one, other) => other.at - one.at)[0];
}

const isAhead = (at: number, now: number) => at > now + TOLERANCE_MS;

/**
 * Those that stay: all of the last 24 hours, the newest of each of the last days, weeks and months that
 * have one, and in any case the newest good one and those whose own time isn't over. Those from under a wrong clock wait for their time.
 */
export function keptOf<B extends Dated>(
  backups: readonly B[],
  now: number,
  [daily, weekly, monthly]: Keep,
  zone: string,
): Set<B> {
  const newest = newestOf(backups, now);
  // Without a good one nothing can take the place of those that are there.
  if (!newest) return new Set(backups);
  const kept = new Set(backups.filter(({ at }) => isAhead(at, now)));
  kept.add(newest);
  for (const each of backups) if (now < (each.keptUntil ?? now)) kept.add(each);
  const past = backups
    .filter(({ at, isGood }) => isGood && !isAhead(at, now))
    .toSorted((one, other) => other.at - one.at);
  for (const each of past) if (now - each.at < DAY) kept.add(each);
  for (const [limit, periodOf] of [
    [daily, dayOf],
    [weekly, weekOf],
    [monthly, monthOf],
  ] as const) {
    const firstOf = new Map<string, B>();
    for (const each of past) {
      const period = periodOf(inZone(each.at, zone).toPlainDate());
      if (!firstOf.has(period) && firstOf.size < limit) firstOf.set(period, each);
    }
    for (const each of firstOf.values()) kept.add(each);
  }
  return kept;
}

const dayOf = (day: Temporal.PlainDate) => day.toString();
/** By its Monday. */
const weekOf = (day: Temporal.PlainDate) => dayOf(day.subtract({ days: day.dayOfWeek - 1 }));
const monthOf = (day: Temporal.PlainDate) => day.toPlainYearMonth().toString();

/** Milliseconds to wait after so many failures in a row: a quarter of an hour, then longer, at most six hours. */
export function waitAfter(failures: number): number {
  return Math.min(6 * HOUR, (HOUR / 4) * 2 ** (failures - 1));
}
