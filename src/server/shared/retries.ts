/** When and how often a message is sent again after a temporary refusal (specification, section 4.18). */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { DAY, MINUTE } from "./time.ts";

/** The delay after each failed attempt. The last delay is repeated. */
const RETRY_DELAYS_MS = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * MINUTE);

/** Retries stop this long after the first attempt. */
export const RETRY_PERIOD_MS = 2 * DAY;

export const getRetryDelayMs = (attempts: number): number =>
  assertDefined(RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1], "retry delay");

/** The number of attempts that fit into `RETRY_PERIOD_MS`. */
export const MAX_ATTEMPTS = (() => {
  let attempts = 1;
  for (
    let elapsedMs = getRetryDelayMs(1);
    elapsedMs <= RETRY_PERIOD_MS;
    elapsedMs += getRetryDelayMs(attempts)
  )
    attempts++;
  return attempts;
})();
