/**
 * Runs on an owner's page before its code has loaded: starts loading the code, on the login page only after its
 * outline has been painted, which loading would delay; and in a browser that has been in the dashboard before,
 * preloads what the dashboard will read, so that those requests don't wait for the code.
 */
import { INSIDE, READ_FIRST } from "../shared/inside.ts";

/** The file of the owner's code; declared before this script. */
declare const SCRIPT: string;

/** In milliseconds: a page in a background tab is never painted. */
const LATEST = 1000;

const path = location.pathname.toLowerCase();
const start = () => import(SCRIPT);

if (/^\/admin(\/login)?\/?$/.test(path) && !document.hidden) {
  new PerformanceObserver(start).observe({ type: "paint", buffered: true });
  setTimeout(start, LATEST);
} else void start();

if (path === "/admin/dashboard" && isInside()) for (const address of readFirst()) preload(address);

function isInside(): boolean {
  try {
    return localStorage.getItem(INSIDE) !== null;
  } catch {
    return false;
  }
}

/** The first tab's content is needed only if the URL names no other tab. */
function readFirst(): readonly string[] {
  const { always, firstTab } = READ_FIRST;
  return location.search === "" ? [...always, ...firstTab] : always;
}

function preload(address: string): void {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  // The same as in shared/api.ts, otherwise the response wouldn't be reused.
  link.crossOrigin = "use-credentials";
  link.href = address;
  document.head.append(link);
}
