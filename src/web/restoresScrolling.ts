/** When the router may scroll the page: not away from under a visitor who was there before it. */

let alive = false;

/**
 * The router's `scrollRestoration`. The page can be read and scrolled before its scripts run; the
 * router's first rendering would then send its visitor back to the top.
 */
export function restoresScrolling(): boolean {
  if (typeof window === "undefined") return true;
  const isFirst = !alive;
  alive = true;
  return !isFirst || window.scrollY === 0;
}
