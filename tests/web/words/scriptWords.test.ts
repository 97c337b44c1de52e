/** The words of public pages' scripts. */
import { expect, test } from "bun:test";
import { getWords } from "../../../src/web/words/allWords.ts";
import { createScriptWords } from "../../../src/web/words/scriptWords.ts";

test("the mailing list's message for a missing network doesn't say that answers are saved", () => {
  const { list } = createScriptWords(getWords("en"), new Set(["list"] as const), "Ann");
  expect(list?.offline).toBe("Check your connection, then try again.");
});
