/** The time that sending a newsletter takes, in words. */
import { expect, test } from "bun:test";
import { formatSendingTime } from "../../../../src/web/admin/tabs/letters/letterStatus.tsx";

test("the duration of sending a newsletter is written in singular or plural, and omitted below a minute", () => {
  expect(formatSendingTime(60, 60)).toBe("about 1 minute");
  expect(formatSendingTime(61, 60)).toBe("about 2 minutes");
  expect(formatSendingTime(60 * 120, 60)).toBe("about 2 hours");
  expect(formatSendingTime(59, 60)).toBeNull();
  expect(formatSendingTime(59, null)).toBeNull();
});
