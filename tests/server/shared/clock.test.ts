/** The hour of daily messages (specification, section 4.18). */
import { expect, test } from "bun:test";
import { findLastOccurrenceOfHour } from "../../../src/server/shared/clock.ts";

test("the last seven o'clock is found in the site's time zone, also on days when clocks change", () => {
  const last = (now: string) =>
    new Date(findLastOccurrenceOfHour(Date.parse(now), 7, "Europe/Berlin")).toISOString();
  expect(last("2026-10-25T05:30:00Z")).toBe("2026-10-24T05:00:00.000Z");
  expect(last("2026-03-29T04:30:00Z")).toBe("2026-03-28T06:00:00.000Z");
  expect(last("2026-10-25T06:00:00Z")).toBe("2026-10-25T06:00:00.000Z");
});
