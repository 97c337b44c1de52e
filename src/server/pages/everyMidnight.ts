/** Calls back when the day changes: the policy's date and the footer's year (design.md section 7). */

/** Calls `then` at each local midnight; the timer keeps no process alive. */
export function everyMidnight(then: () => void, now: () => Date = () => new Date()): void {
  const next = new Date(now());
  next.setHours(24, 0, 1, 0);
  const timer = setTimeout(() => {
    then();
    everyMidnight(then, now);
  }, next.getTime() - now().getTime());
  timer.unref();
}
