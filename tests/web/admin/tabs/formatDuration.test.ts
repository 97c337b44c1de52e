/** The duration of a letter, in words. */
import { expect, test } from "bun:test";
import { formatDuration } from "../../../../src/web/admin/tabs/letters/letterParts.tsx";

test("durations use the singular for one and the plural for more", () => {
  expect(formatDuration(60, 60)).toBe("about 1 minute");
  expect(formatDuration(61, 60)).toBe("about 2 minutes");
  expect(formatDuration(60 * 120, 60)).toBe("about 2 hours");
  expect(formatDuration(59, 60)).toBeNull();
  expect(formatDuration(59, null)).toBeNull();
});
