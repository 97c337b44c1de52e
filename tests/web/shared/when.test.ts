/** The dashboard's dates and times (specification, section 5.10). */
import { afterEach, expect, test } from "bun:test";
import { DAY } from "../../../src/schema/core/time.ts";
import {
  dateOf,
  dayIn,
  dayOf,
  isoDay,
  isoDateTime,
  listedDateOf,
  wallDay,
  wallDateTime,
  wallParts,
  weekdayOf,
  when,
  whenInside,
  writeTimesIn,
} from "../../../src/web/shared/when.ts";

const MORNING = new Date(2024, 10, 5, 9, 4, 7);
const ISO = MORNING.toISOString();

afterEach(() => writeTimesIn("nowhere"));

test("a time is written in the site's time zone, wherever it is read", () => {
  const iso = "2030-12-31T12:30:05.000Z";
  writeTimesIn("Pacific/Auckland");
  expect(when(iso)).toBe("1 Jan 2031, 01:30");
  expect(isoDateTime(new Date(iso))).toBe("2031-01-01 01:30:05");
  expect(listedDateOf(iso)).toBe("Jan 1, 2031");
  writeTimesIn("America/New_York");
  expect(when(iso)).toBe("31 Dec 2030, 07:30");
  expect(isoDay(new Date(iso))).toBe("2030-12-31");
});

test("a day is counted from the site's today", () => {
  for (const zone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    writeTimesIn(zone);
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(new Date());
    expect(dayIn(0)).toBe(today);
    expect(dayOf(new Date().toISOString())).toBe("Today");
    expect(Date.parse(dayIn(3)) - Date.parse(today)).toBe(3 * DAY);
  }
});

test("in a zone that the browser doesn't support, a time is written in the browser's own", () => {
  expect(isoDateTime(MORNING)).toBe("2024-11-05 09:04:07");
  expect(isoDay(MORNING)).toBe("2024-11-05");
  expect(isoDay(new Date(2024, 10, 5, 0, 0, 0))).toBe("2024-11-05");
  expect(listedDateOf(ISO)).toBe("Nov 5, 2024");
  expect(dateOf(ISO)).toBe("5 Nov 2024");
  expect(weekdayOf(ISO)).toMatch(/^Tuesday,? 5 Nov$/);
});

test("a time's day is named if it was today or yesterday, and its year shown if it isn't this one", () => {
  const ago = (days: number) => new Date(`${dayIn(-days)}T12:00`).toISOString();
  expect(dayOf(ago(0))).toBe("Today");
  expect(dayOf(ago(1))).toBe("Yesterday");
  expect(when(ISO)).toBe("5 Nov 2024, 09:04");
  expect(whenInside(ago(0))).toBe("today, 12:00");
});

test("a local time is written unchanged, with the year if it isn't this one", () => {
  expect(wallDateTime("2027-03-14T20:00")).toBe("Sun 14 Mar, 20:00");
  expect(wallDateTime("2027-03-14T20:00", "2026-12-31T20:00")).toBe("Sun 14 Mar 2027, 20:00");
  expect(wallDay("2027-03-14")).toBe("Sun 14 Mar");
  expect(wallParts("2027-03-14T00:00", "2026-12-31")).toEqual({
    weekday: "Sun",
    day: "14",
    month: "Mar 2027",
  });
});
