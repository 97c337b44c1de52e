/** Loads and compiles the enquiry form's code in advance, without running it. */

/** A connection is slow if the page took longer than this to arrive, in milliseconds. */
const SLOW_ARRIVAL_MS = 150;

let isRequested = false;

/** Prefetches a script. Further calls do nothing. */
export function prefetch(href: string): void {
  if (isRequested) return;
  isRequested = true;
  // A failure isn't reported here: inline/hydrate.ts loads the script again when the visitor needs it.
  const link = document.createElement("link");
  document.head.append(Object.assign(link, { rel: "modulepreload", fetchPriority: "low", href }));
}

/** Prefetches a script on a slow connection once the page has loaded and is idle, unless data saving is on. */
export function prefetchWhenSlow(href: string): void {
  addEventListener("load", () => {
    const schedule = window.requestIdleCallback ?? setTimeout;
    schedule(() => isConnectionSlow() && !isSavingData() && prefetch(href));
  });
}

function isConnectionSlow(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return (
    navigation !== undefined && navigation.responseEnd - navigation.requestStart > SLOW_ARRIVAL_MS
  );
}

/** Whether data saving is on in the browser. Not all browsers have `navigator.connection`. */
export function isSavingData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
}
