/** Names in a sentence. */
import { expect, test } from "bun:test";
import { listed } from "../../../src/web/shared/listed.ts";

test("names are joined as the language does it, in English without a comma before the last", () => {
  expect(listed([])).toBe("");
  expect(listed(["Hero"])).toBe("Hero");
  expect(listed(["Hero", "About"])).toBe("Hero and About");
  expect(listed(["Hero", "About", "Press"])).toBe("Hero, About and Press");
  expect(listed(["Coaching", "Booking"], { type: "disjunction" })).toBe("Coaching or Booking");
  expect(listed(["YouTube", "Vimeo"], { language: "de" })).toBe("YouTube und Vimeo");
});
