/** Fetches and compiles the page's code without running it. */

/** A page that took this long to arrive, in milliseconds, came over a slow line. */
const SLOW = 150;

let isAsked = false;

/** Does it once, however often it is asked: the first file is the entry. */
export function fetchAhead(addresses: readonly string[]): void {
  if (isAsked) return;
  isAsked = true;
  // Failing does no harm yet: a press reports it.
  for (const href of addresses) {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "modulepreload", fetchPriority: "low", href }));
  }
}

/** On a slow line, once the page is there and nothing goes on; never where a visitor saves data. */
export function fetchAheadWhenSlow(addresses: readonly string[]): void {
  addEventListener("load", () => {
    const later = window.requestIdleCallback ?? setTimeout;
    later(() => isSlow() && !savesData() && fetchAhead(addresses));
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
