/** The words of public pages' scripts. */
import { expect, test } from "bun:test";
import { getWords } from "../../../src/web/words/all.ts";
import { createProgramWords } from "../../../src/web/words/programWords.ts";

test("the mailing list doesn't say without a network that answers are saved", () => {
  const { list } = createProgramWords(getWords("en"), new Set(["list"] as const), "Ann");
  expect(list?.offline).toBe("Check your connection, then try again.");
});
