/**
 * Runs on an owner's page before its code has loaded: starts loading the code, on the login page only after its
 * outline has been painted, which loading would delay; and in a browser that has been in the dashboard before,
 * preloads what the dashboard will read, so that those requests don't wait for the code.
 */
import { LOGGED_IN_KEY, PRELOADED_PATHS } from "../shared/loggedIn.ts";

/** The file of the owner's code; declared before this script. */
declare const SCRIPT: string;

/** In milliseconds: a page in a background tab is never painted. */
const MAX_WAIT_MS = 1000;

const lowerCasePath = location.pathname.toLowerCase();
const startOwnerScript = () => import(SCRIPT);

if (/^\/admin(\/login)?\/?$/.test(lowerCasePath) && !document.hidden) {
  new PerformanceObserver(startOwnerScript).observe({ type: "paint", buffered: true });
  setTimeout(startOwnerScript, MAX_WAIT_MS);
} else void startOwnerScript();

if (lowerCasePath === "/admin/dashboard" && wasLoggedIn())
  for (const address of findFirstReads()) preload(address);

function wasLoggedIn(): boolean {
  try {
    return localStorage.getItem(LOGGED_IN_KEY) !== null;
  } catch {
    return false;
  }
}

/** The first tab's content is needed only if the URL names no other tab. */
function findFirstReads(): readonly string[] {
  const { always, firstTab } = PRELOADED_PATHS;
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
