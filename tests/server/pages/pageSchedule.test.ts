/** Scheduled content changes at its time, by the clock and the time zone of the site. */
import { afterEach, expect, jest, test } from "bun:test";
import { runAtEachChange, computeNextMidnight } from "../../../src/server/pages/pageSchedule.ts";

afterEach(() => void jest.useRealTimers());

const HOUR_MS = 3_600_000;
const toTime = (text: string) => Date.parse(text);
const toIso = (instant: number) => new Date(instant).toISOString();

test("a day begins at its zone's midnight, also on the days when clocks are put forward and back", () => {
  const after = (now: string, zone: string) => toIso(computeNextMidnight(toTime(now), zone));
  expect(after("2027-03-27T23:00:00Z", "Europe/Berlin")).toBe("2027-03-28T22:00:00.000Z");
  expect(after("2027-10-30T22:00:00Z", "Europe/Berlin")).toBe("2027-10-31T23:00:00.000Z");
  expect(after("2027-11-07T12:00:00Z", "America/New_York")).toBe("2027-11-08T05:00:00.000Z");
  // In this zone a day begins at one o'clock.
  expect(after("2022-09-10T12:00:00Z", "America/Santiago")).toBe("2022-09-11T04:00:00.000Z");
});

/** Midnights of a zone, on a simulated clock. */
function listMidnights(start: string, zone: () => string) {
  jest.useFakeTimers({ now: new Date(start) });
  let ahead = 0;
  const seen: string[] = [];
  const now = () => Date.now() + ahead;
  const schedule = runAtEachChange({
    now,
    findNextChange: (instant) => computeNextMidnight(instant, zone()),
    onChange: () => seen.push(toIso(now())),
  });
  return { seen, moments: schedule, set: (by: number) => (ahead += by) };
}

test("each midnight of the site's time zone triggers one update, within a second", () => {
  const { seen, moments } = listMidnights("2027-01-31T22:00:00Z", () => "Europe/Berlin");
  jest.advanceTimersByTime(HOUR_MS - 1);
  expect(seen).toEqual([]);
  jest.advanceTimersByTime(48 * HOUR_MS);
  expect(seen.map((each) => each.slice(0, 19))).toEqual([
    "2027-01-31T23:00:00",
    "2027-02-01T23:00:00",
  ]);
  moments.stop();
  jest.advanceTimersByTime(48 * HOUR_MS);
  expect(seen.length).toBe(2);
});

test("the midnight of another time zone triggers an update after that zone is chosen", () => {
  let zone = "Europe/Berlin";
  const { seen, moments } = listMidnights("2027-01-31T12:00:00Z", () => zone);
  zone = "Asia/Tokyo";
  moments.reschedule();
  jest.advanceTimersByTime(3 * HOUR_MS);
  expect(seen.map((each) => each.slice(0, 19))).toEqual(["2027-01-31T15:00:00"]);
});

test("a clock set forward over a midnight, or back, is noticed within a minute", () => {
  const { seen, set } = listMidnights("2027-01-31T12:00:00Z", () => "UTC");
  set(13 * HOUR_MS);
  jest.advanceTimersByTime(60_000);
  expect(seen.length).toBe(1);
  set(-13 * HOUR_MS);
  jest.advanceTimersByTime(60_000);
  expect(seen.length).toBe(2);
});
