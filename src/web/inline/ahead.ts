/** Fetches and compiles the page's code without running it. */

/** A page that took this long to arrive, in milliseconds, came over a slow line. */
const SLOW = 150;

let isAsked = false;

/** Does it once, however often it is asked. */
export function fetchAhead(href: string): void {
  if (isAsked) return;
  isAsked = true;
  // Failing does no harm yet: a press reports it.
  const link = document.createElement("link");
  document.head.append(Object.assign(link, { rel: "modulepreload", fetchPriority: "low", href }));
}

/** On a slow line, once the page is there and nothing goes on; never where a visitor saves data. */
export function fetchAheadWhenSlow(href: string): void {
  addEventListener("load", () => {
    const later = window.requestIdleCallback ?? setTimeout;
    later(() => isSlow() && !savesData() && fetchAhead(href));
  });
}

function isSlow(): boolean {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return visit !== undefined && visit.responseEnd - visit.requestStart > SLOW;
}

/** What few browsers know: `navigator.connection` is no standard yet. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
}
