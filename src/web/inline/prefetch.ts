/** Loads and compiles the page's code without running it. */

/** A page that took longer than this to arrive, in milliseconds, indicates a slow connection. */
const SLOW_ARRIVAL_MS = 150;

let isRequested = false;

/** Prefetches a script. Further calls do nothing. */
export function prefetch(href: string): void {
  if (isRequested) return;
  isRequested = true;
  // A failure is reported only when the visitor needs the code.
  const link = document.createElement("link");
  document.head.append(Object.assign(link, { rel: "modulepreload", fetchPriority: "low", href }));
}

/** Prefetches a script on a slow connection once the page has loaded and is idle, unless the visitor saves data. */
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

/**
 * Whether the visitor asks for less data. Only some browsers report it, as `navigator.connection` isn't a standard yet.
 */
export function isSavingData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
}
