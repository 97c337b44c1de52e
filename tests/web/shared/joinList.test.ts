/** Names joined in a sentence. */
import { expect, test } from "bun:test";
import { joinList } from "../../../src/web/shared/joinList.ts";

test("names are joined by the rules of the language, in English without a comma before the last", () => {
  expect(joinList([])).toBe("");
  expect(joinList(["Hero"])).toBe("Hero");
  expect(joinList(["Hero", "About"])).toBe("Hero and About");
  expect(joinList(["Hero", "About", "Press"])).toBe("Hero, About and Press");
  expect(joinList(["Coaching", "Booking"], { type: "disjunction" })).toBe("Coaching or Booking");
  expect(joinList(["YouTube", "Vimeo"], { language: "de" })).toBe("YouTube und Vimeo");
});
