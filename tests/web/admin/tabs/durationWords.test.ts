/** How long a letter takes, in words. */
import { expect, test } from "bun:test";
import { durationWords } from "../../../../src/web/admin/tabs/letters/sendWords.ts";

test("one is one, and more are more", () => {
  expect(durationWords(60, 60)).toBe("about 1 minute");
  expect(durationWords(61, 60)).toBe("about 2 minutes");
  expect(durationWords(60 * 120, 60)).toBe("about 2 hours");
  expect(durationWords(59, 60)).toBeNull();
  expect(durationWords(59, null)).toBeNull();
});
