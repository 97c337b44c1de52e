/** When a message that was refused for now is tried again, and how often (specification, section 4.18). */
import { present } from "../../schema/present.ts";
import { DAY, MINUTE } from "./time.ts";

/** How long to wait after each try that failed. */
const WAITS = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * MINUTE);

/** For so long, in milliseconds, it is tried again. */
export const GIVEN_UP_AFTER = 2 * DAY;

/** How long to wait after so many tries that failed (from 1), in milliseconds. */
export const waitAfter = (tries: number): number =>
  present(WAITS[Math.min(tries, WAITS.length) - 1], "such wait");

/** So many tries have room in that time. */
export const MOST_TRIES = (() => {
  let tries = 1;
  for (let passed = waitAfter(1); passed <= GIVEN_UP_AFTER; passed += waitAfter(tries)) tries++;
  return tries;
})();
