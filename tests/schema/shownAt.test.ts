/** When something is shown (specification, section 3.21). */
import { describe, expect, test } from "bun:test";
import { assert, constantFrom, integer, option, pre, property, record } from "fast-check";
import { checkItem } from "../../src/schema/entities/check.ts";
import { entities } from "../../src/schema/index.ts";
import {
  findVisibilityChanges,
  localTimeToInstant,
  isShown,
} from "../../src/schema/entities/visibility.ts";
import { optionalWallTime } from "../../src/schema/kinds/timeKinds.ts";
import {
  resolveSkippedTime,
  findNextFullHour,
  parseLocalTime as instantIn,
  formatLocalTime,
} from "../../src/web/shared/localTime.ts";
import * as v from "valibot";

const { highlights } = entities;
const toIso = (instant: number) => new Date(instant).toISOString();
const isShownAt = (item: object, now: string, zone: string) =>
  isShown(highlights, { ...item }, { now: Date.parse(now), zone });

/** The clock changes of two zones in a year: [zone, wall time, instant]. */
const CLOCK_CHANGES = [
  ["Europe/Berlin", "2027-03-28T01:59", "2027-03-28T00:59:00.000Z"],
  ["Europe/Berlin", "2027-03-28T02:30", "2027-03-28T01:30:00.000Z"],
  ["Europe/Berlin", "2027-03-28T03:00", "2027-03-28T01:00:00.000Z"],
  ["Europe/Berlin", "2027-10-31T01:59", "2027-10-30T23:59:00.000Z"],
  ["Europe/Berlin", "2027-10-31T02:30", "2027-10-31T00:30:00.000Z"],
  ["Europe/Berlin", "2027-10-31T03:00", "2027-10-31T02:00:00.000Z"],
  ["America/New_York", "2027-03-14T01:59", "2027-03-14T06:59:00.000Z"],
  ["America/New_York", "2027-03-14T02:30", "2027-03-14T07:30:00.000Z"],
  ["America/New_York", "2027-03-14T03:00", "2027-03-14T07:00:00.000Z"],
  ["America/New_York", "2027-11-07T00:59", "2027-11-07T04:59:00.000Z"],
  ["America/New_York", "2027-11-07T01:30", "2027-11-07T05:30:00.000Z"],
  ["America/New_York", "2027-11-07T02:00", "2027-11-07T07:00:00.000Z"],
] as const;

describe("on days with clock changes", () => {
  test.each(CLOCK_CHANGES)(
    "in %s the local time %s is %s, when an item also starts or stops being shown",
    (zone, wall, instant) => {
      expect(toIso(localTimeToInstant(wall, zone))).toBe(instant);
      const [before, after] = [-1, 1].map((by) => toIso(Date.parse(instant) + by * 1000));
      expect(isShownAt({ shownFrom: wall }, before!, zone)).toBe(false);
      expect(isShownAt({ shownFrom: wall }, instant, zone)).toBe(true);
      expect(isShownAt({ shownUntil: wall }, before!, zone)).toBe(true);
      expect(isShownAt({ shownUntil: wall }, after!, zone)).toBe(false);
    },
  );

  test("a browser without Temporal moves a time in the skipped hour to the same later time", () => {
    expect(resolveSkippedTime("2027-03-28T02:30", "Europe/Berlin")).toBe("2027-03-28T03:30");
    expect(resolveSkippedTime("2027-03-14T02:00", "America/New_York")).toBe("2027-03-14T03:00");
    for (const [zone, wall, instant] of CLOCK_CHANGES)
      expect([wall, resolveSkippedTime(wall, zone) ?? wall]).toEqual([
        wall,
        formatLocalTime(Date.parse(instant), zone),
      ]);
  });

  test("a browser without Temporal converts any local time to the same instant", () => {
    for (const [zone, wall, instant] of CLOCK_CHANGES)
      expect([wall, instantIn(wall, zone)]).toEqual([wall, Date.parse(instant)]);
    const any = property(constantFrom(...ZONES), minute, (zone, at) =>
      expect(instantIn(toWallTime(at), zone)).toBe(localTimeToInstant(toWallTime(at), zone)),
    );
    assert(any, { numRuns: 500 });
  });

  test("the next full hour is always a later, existing time", () => {
    for (const [zone, from, hours] of [
      [
        "Europe/Berlin",
        "2027-03-28T00:40",
        ["2027-03-28T01:00", "2027-03-28T03:00", "2027-03-28T04:00"],
      ],
      ["Europe/Berlin", "2027-03-28T02:00", ["2027-03-28T04:00"]],
      ["Europe/Berlin", "2027-10-31T01:10", ["2027-10-31T02:00", "2027-10-31T03:00"]],
      ["Asia/Kathmandu", "2027-03-01T23:30", ["2027-03-02T00:00"]],
    ] as const) {
      let at: string = from;
      for (const hour of hours) {
        at = findNextFullHour(at, zone);
        expect(at).toBe(hour);
      }
    }
  });
});

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];
const YEAR = Date.parse("2027-01-01T00:00Z");
const minute = integer({ min: 0, max: 525_600 });
const toWallTime = (at: number) => new Date(YEAR + at * 60_000).toISOString().slice(0, 16);

/** The instants at which a zone's clocks show a time, found by trying all candidates. */
function findInstants(wall: string, zone: string): number[] {
  const asUtc = Date.parse(`${wall}Z`);
  return Array.from({ length: 4 * 27 }, (_, at) => asUtc + (at - 56) * 900_000).filter(
    (instant) => formatLocalTime(instant, zone) === wall,
  );
}

test("items are shown at the times that a simple reference model gives, in 400 random cases", () => {
  const item = record({
    shownFrom: option(minute.map(toWallTime)),
    shownUntil: option(minute.map(toWallTime)),
  });
  assert(
    property(item, minute, constantFrom(...ZONES), (window, at, zone) => {
      const now = YEAR + at * 60_000;
      const [from] = window.shownFrom ? findInstants(window.shownFrom, zone) : [-Infinity];
      const [until] = window.shownUntil ? findInstants(window.shownUntil, zone) : [Infinity];
      // A skipped hour is in the table above.
      pre(from !== undefined && until !== undefined);
      expect(isShown(highlights, window, { now, zone })).toBe(from! <= now && now < until!);
      expect(findVisibilityChanges(highlights, window, zone)).toEqual(
        [from!, until!].filter(Number.isFinite),
      );
    }),
    { numRuns: 400 },
  );
});

describe("a typed date and time", () => {
  const { schema } = optionalWallTime("When");
  const parse = (input: unknown) => {
    const outcome = v.safeParse(schema, input, { abortPipeEarly: true });
    return outcome.success ? outcome.output : outcome.issues[0].message;
  };
  test("is accepted with both parts, or empty", () => {
    for (const text of [
      "2027-03-14T20:00",
      "2000-01-01T00:00",
      "2100-12-31T23:59",
      "2028-02-29T12:00",
    ])
      expect(parse(text)).toBe(text);
    expect([parse(""), parse(null), parse(undefined)]).toEqual([null, null, null]);
  });
  test("is refused with a message that says which part is wrong", () => {
    const day = "Enter a date such as March 14, 2027.";
    const time = "Enter a time such as 20:00.";
    for (const wrong of [
      "T20:00",
      "1999-12-31T20:00",
      "2101-01-01T20:00",
      "2027-02-30T20:00",
      "soon",
    ])
      expect([wrong, parse(wrong)]).toEqual([wrong, day]);
    for (const wrong of [
      "2027-03-14T",
      "2027-03-14",
      "2027-03-14T24:00",
      "2027-03-14T20:60",
      "2027-03-14T20:00:00Z",
    ])
      expect([wrong, parse(wrong)]).toEqual([wrong, time]);
  });
});

test("an item whose end isn't after its start is refused, with the message at the end's field", () => {
  const item = { shownFrom: "2027-03-14T20:00", shownUntil: "2027-03-14T19:59" };
  for (const shownUntil of [item.shownUntil, item.shownFrom])
    expect(checkItem(highlights, { ...item, shownUntil })).toMatchObject({
      ok: false,
      fields: { shownUntil: "The end must be after the start." },
    });
  expect(checkItem(highlights, { ...item, shownUntil: "2027-03-14T20:01" }).ok).toBe(true);
  expect(checkItem(highlights, { ...item, shownFrom: null }).ok).toBe(true);
});
