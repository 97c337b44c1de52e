/** Loads and compiles the page's code without running it. */

/** A page that took longer than this to arrive, in milliseconds, indicates a slow connection. */
const SLOW_ARRIVAL_MS = 150;

let isRequested = false;

/** Only once, however often it is called. */
export function prefetch(href: string): void {
  if (isRequested) return;
  isRequested = true;
  // A failure does no harm yet: a press will report it.
  const link = document.createElement("link");
  document.head.append(Object.assign(link, { rel: "modulepreload", fetchPriority: "low", href }));
}

/** On a slow connection, when the page has loaded and is idle; never if the visitor saves data. */
export function prefetchWhenSlow(href: string): void {
  addEventListener("load", () => {
    const later = window.requestIdleCallback ?? setTimeout;
    later(() => isConnectionSlow() && !isSavingData() && prefetch(href));
  });
}

function isConnectionSlow(): boolean {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return visit !== undefined && visit.responseEnd - visit.requestStart > SLOW_ARRIVAL_MS;
}

/** Few browsers support it: `navigator.connection` isn't a standard yet. */
export function isSavingData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
}
