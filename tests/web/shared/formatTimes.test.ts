/** The dashboard's dates and times (specification, section 5.10). */
import { afterEach, expect, test } from "bun:test";
import { DAY } from "../../../src/schema/core/time.ts";
import {
  formatDate,
  formatIsoDayAfter,
  formatRelativeDay,
  toIsoDay,
  formatIsoDateTime,
  formatListDate,
  formatLocalDay,
  formatLocalDateTime,
  formatLocalDateParts,
  formatWeekday,
  formatRelativeDateTime,
  formatRelativeDateTimeInSentence,
  setTimeZone,
} from "../../../src/web/shared/formatTimes.ts";

const MORNING = new Date(2024, 10, 5, 9, 4, 7);
const ISO = MORNING.toISOString();

afterEach(() => setTimeZone("nowhere"));

test("a time is written in the site's time zone, wherever it is read", () => {
  const iso = "2030-12-31T12:30:05.000Z";
  setTimeZone("Pacific/Auckland");
  expect(formatRelativeDateTime(iso)).toBe("1 Jan 2031, 01:30");
  expect(formatIsoDateTime(new Date(iso))).toBe("2031-01-01 01:30:05");
  expect(formatListDate(iso)).toBe("Jan 1, 2031");
  setTimeZone("America/New_York");
  expect(formatRelativeDateTime(iso)).toBe("31 Dec 2030, 07:30");
  expect(toIsoDay(new Date(iso))).toBe("2030-12-31");
});

test("days are counted from today in the site's time zone", () => {
  for (const zone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    setTimeZone(zone);
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(new Date());
    expect(formatIsoDayAfter(0)).toBe(today);
    expect(formatRelativeDay(new Date().toISOString())).toBe("Today");
    expect(Date.parse(formatIsoDayAfter(3)) - Date.parse(today)).toBe(3 * DAY);
  }
});

test("a time is written in the browser's time zone if the browser doesn't support the site's time zone", () => {
  expect(formatIsoDateTime(MORNING)).toBe("2024-11-05 09:04:07");
  expect(toIsoDay(MORNING)).toBe("2024-11-05");
  expect(toIsoDay(new Date(2024, 10, 5, 0, 0, 0))).toBe("2024-11-05");
  expect(formatListDate(ISO)).toBe("Nov 5, 2024");
  expect(formatDate(ISO)).toBe("5 Nov 2024");
  expect(formatWeekday(ISO)).toMatch(/^Tuesday,? 5 Nov$/);
});

test("today and yesterday are named, and a date of another year is written with its year", () => {
  const ago = (days: number) => new Date(`${formatIsoDayAfter(-days)}T12:00`).toISOString();
  expect(formatRelativeDay(ago(0))).toBe("Today");
  expect(formatRelativeDay(ago(1))).toBe("Yesterday");
  expect(formatRelativeDateTime(ISO)).toBe("5 Nov 2024, 09:04");
  expect(formatRelativeDateTimeInSentence(ago(0))).toBe("today, 12:00");
});

test("a local time isn't converted to another time zone, and has its year only if it isn't the current year", () => {
  expect(formatLocalDateTime("2027-03-14T20:00")).toBe("Sun 14 Mar, 20:00");
  expect(formatLocalDateTime("2027-03-14T20:00", "2026-12-31T20:00")).toBe(
    "Sun 14 Mar 2027, 20:00",
  );
  expect(formatLocalDay("2027-03-14")).toBe("Sun 14 Mar");
  expect(formatLocalDateParts("2027-03-14T00:00", "2026-12-31")).toEqual({
    weekday: "Sun",
    day: "14",
    month: "Mar 2027",
  });
});
