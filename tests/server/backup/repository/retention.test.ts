/** When a backup is due and which ones stay, over two years of a simulated clock. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type DatedBackup,
  isBackupNeeded,
  type RetentionCounts,
  selectBackupsToRetain,
  findNewestGoodBackup,
  computeBackupPeriod,
  computeBackupRetryDelayMs,
} from "../../../../src/server/backup/repository/retention.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const RETENTION: RetentionCounts = [7, 4, 12];
const createGoodBackup = (timeMs: number): DatedBackup => ({ timeMs, isGood: true });
/** The zone that JavaScript's dates use in these tests. */
const LOCAL_ZONE = Temporal.Now.timeZoneId();
const toLocalTime = (text: string) => new Date(text).getTime();
const NOON = toLocalTime("2026-11-21T12:00:00");

describe.each(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])(
  "in the time zone %s",
  (zone) => {
    const before = process.env["TZ"];
    beforeAll(() => void (process.env["TZ"] = zone));
    afterAll(() => void (process.env["TZ"] = before ?? "UTC"));

    test("backup intervals are counted from 3 at night and have the configured length", () => {
      for (const every of [1, 2, 3, 4, 6, 8, 12, 24]) {
        const noon = toLocalTime("2026-11-21T12:00:00");
        const { start, end } = computeBackupPeriod(noon, every, zone);
        expect(start).toBeLessThanOrEqual(noon);
        expect(end).toBeGreaterThan(noon);
        expect(end - start).toBe(every * HOUR_MS);
        expect((new Date(start).getHours() - 3 + 24) % every).toBe(0);
      }
    });

    test("backup intervals follow each other without a gap for two years, also when clocks change", () => {
      for (const every of [1, 6, 24]) {
        let at = toLocalTime("2026-01-01T00:00:00");
        for (const end = at + 730 * DAY_MS; at < end;) {
          const { start, end } = computeBackupPeriod(at, every, zone);
          expect(start <= at && at < end).toBe(true);
          if (every === 24) expect(new Date(end).getHours()).toBe(3);
          expect(computeBackupPeriod(end - 1, every, zone).start).toBe(start);
          at = end;
        }
      }
    });
  },
);

describe("a backup is due", () => {
  test("when there is none, and not again within the same interval", () => {
    expect(isBackupNeeded([], NOON, 24, LOCAL_ZONE)).toBe(true);
    expect(
      isBackupNeeded([createGoodBackup(toLocalTime("2026-11-21T03:00:05"))], NOON, 24, LOCAL_ZONE),
    ).toBe(false);
    expect(
      isBackupNeeded([createGoodBackup(toLocalTime("2026-11-21T02:59:55"))], NOON, 24, LOCAL_ZONE),
    ).toBe(true);
    expect(
      isBackupNeeded([createGoodBackup(toLocalTime("2026-11-21T03:00:05"))], NOON, 6, LOCAL_ZONE),
    ).toBe(true);
  });

  test("again when the restore test of the last backup has failed", () => {
    expect(isBackupNeeded([{ timeMs: NOON - HOUR_MS, isGood: false }], NOON, 24, LOCAL_ZONE)).toBe(
      true,
    );
  });

  test("even if a backup exists that was made while the clock was years ahead", () => {
    const ahead = createGoodBackup(NOON + 1500 * DAY_MS);
    expect(isBackupNeeded([ahead], NOON, 24, LOCAL_ZONE)).toBe(true);
    const today = createGoodBackup(NOON - HOUR_MS);
    expect(findNewestGoodBackup([ahead, today], NOON)).toBe(today);
    expect(selectBackupsToRetain([ahead, today], NOON, RETENTION, LOCAL_ZONE)).toEqual(
      new Set([ahead, today]),
    );
  });

  test("at once after the clock was reset to 1970, and no backup is removed", () => {
    const backups = [createGoodBackup(NOON), createGoodBackup(NOON - DAY_MS)];
    expect(isBackupNeeded(backups, 0, 24, LOCAL_ZONE)).toBe(true);
    expect(selectBackupsToRetain(backups, 0, [1, 0, 0], LOCAL_ZONE).size).toBe(2);
  });
});

describe("over two years of backups", () => {
  /** The backups after each day, if none can be made on the days for which `fails` is true. */
  function* simulateYears(
    fails: (day: number) => boolean,
    intervalHours = 24,
  ): Generator<[number, DatedBackup[]]> {
    let stored: DatedBackup[] = [];
    const first = toLocalTime("2025-01-01T03:10:00");
    for (let step = 0; step < (730 * 24) / intervalHours; step++) {
      const now = first + step * intervalHours * HOUR_MS;
      if (!fails(Math.floor((step * intervalHours) / 24))) stored.push(createGoodBackup(now));
      stored = [...selectBackupsToRetain(stored, now, RETENTION, LOCAL_ZONE)];
      yield [now, stored];
    }
  }
  const computeAges = (now: number, backups: readonly DatedBackup[]) =>
    backups.map(({ timeMs }) => (now - timeMs) / DAY_MS).toSorted((one, other) => one - other);

  test("each of the last 7 days, 4 weeks and 12 months has a backup, and no further backups stay", () => {
    let most = 0;
    for (const [now, stored] of simulateYears(() => false)) {
      most = Math.max(most, stored.length);
      const day = Math.round((now - toLocalTime("2025-01-01T03:10:00")) / DAY_MS);
      const old = computeAges(now, stored);
      for (let back = 0; back < Math.min(7, day); back++)
        expect(old.some((age) => Math.abs(age - back) < 0.1)).toBe(true);
      if (day < 366) continue;
      for (let week = 1; week < 4; week++)
        expect(old.some((age) => age >= (week - 1) * 7 && age < (week + 1) * 7)).toBe(true);
      // The last day of the month eleven months ago.
      expect(old.at(-1)!).toBeGreaterThan(300);
      expect(old.at(-1)!).toBeLessThan(345);
    }
    expect(most).toBeLessThanOrEqual(7 + 4 + 12);
    expect(most).toBeGreaterThan(18);
  });

  test("at most one old backup is removed during months without a new one", () => {
    const failing = (day: number) => day > 300 && day < 600;
    let before: DatedBackup[] = [];
    for (const [now, stored] of simulateYears(failing)) {
      const day = Math.round((now - toLocalTime("2025-01-01T03:10:00")) / DAY_MS);
      if (day === 300) before = stored;
      if (day > 300 && day < 600) expect(stored.length).toBeGreaterThanOrEqual(before.length - 1);
      expect(findNewestGoodBackup(stored, now)).toBeDefined();
    }
  });

  test("each hourly backup stays for a day", () => {
    let last: DatedBackup[] = [];
    for (const [, stored] of simulateYears((day) => day > 40, 1)) last = stored;
    expect(last.length).toBeGreaterThan(0);
    for (const [now, stored] of simulateYears((day) => day > 40, 1))
      if (now < toLocalTime("2025-01-20T03:10:00") && now > toLocalTime("2025-01-03T03:10:00"))
        expect(computeAges(now, stored).filter((age) => age < 1).length).toBe(24);
  });
});

test("the newest good backup always stays, also when the settings keep none", () => {
  const [bad, newest, older] = [
    { timeMs: NOON - HOUR_MS, isGood: false },
    createGoodBackup(NOON - 3 * DAY_MS),
    createGoodBackup(NOON - 4 * DAY_MS),
  ];
  expect(selectBackupsToRetain([bad, newest, older], NOON, [0, 0, 0], LOCAL_ZONE)).toEqual(
    new Set([newest]),
  );
  expect(selectBackupsToRetain([bad], NOON, [0, 0, 0], LOCAL_ZONE)).toEqual(new Set([bad]));
});

test("a failed backup is retried at growing intervals, in the end four times a day", () => {
  expect([1, 2, 3, 4, 5, 6, 50].map((times) => computeBackupRetryDelayMs(times) / HOUR_MS)).toEqual(
    [0.25, 0.5, 1, 2, 4, 6, 6],
  );
});
