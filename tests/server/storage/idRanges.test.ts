/** Which segments may hold an id: as a look at every range would say, in whatever order ids come. */
import { expect, test } from "bun:test";
import { array, assert, boolean, integer, nat, option, property, record, tuple } from "fast-check";
import { IdRanges } from "../../../src/server/storage/idRanges.ts";

const anyId = integer({ min: 0, max: 40 }).map((number) => String(number).padStart(2, "0"));
const anyRange = option(
  tuple(anyId, anyId).map(([one, other]) => [one, other].toSorted() as [string, string]),
  { nil: undefined },
);
/** New segments come one after the other, and each may change at any time. */
const changes = array(record({ isNew: boolean(), which: nat(), range: anyRange }), {
  minLength: 1,
  maxLength: 30,
});

test("it finds the segments in whose range an id is, newest first, after any changes", () => {
  assert(
    property(changes, anyId, (given, sought) => {
      const ranges = new IdRanges();
      const known: ([string, string] | undefined)[] = [];
      for (const change of given) {
        const segment =
          change.isNew || known.length === 0 ? known.length : change.which % known.length;
        known[segment] = change.range;
        ranges.set(segment, change.range);
      }
      const expected = known.flatMap((each, at) =>
        each && sought >= each[0] && sought <= each[1] ? [at] : [],
      );
      expect(ranges.around(sought)).toEqual(expected.toReversed());
    }),
  );
});
