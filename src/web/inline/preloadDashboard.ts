/**
 * Starts loading the code of an owner's page; on the login page, only once its outline is painted. If somebody was
 * logged in to the dashboard in this browser, also preloads the dashboard's first responses.
 */
import { LOGGED_IN_KEY, PRELOADED_PATHS } from "../shared/dashboardPreload.ts";

/** The URL of the owner's code. The server declares it before this script. */
declare const SCRIPT: string;

/** The maximum wait for the first paint, in milliseconds. A page whose tab moves to the background is never painted. */
const MAX_WAIT_MS = 1000;

const lowerCasePath = location.pathname.toLowerCase();
const startOwnerScript = () => import(SCRIPT);

if (/^\/admin(\/login)?\/?$/.test(lowerCasePath) && !document.hidden) {
  new PerformanceObserver(startOwnerScript).observe({ type: "paint", buffered: true });
  setTimeout(startOwnerScript, MAX_WAIT_MS);
} else void startOwnerScript();

if (lowerCasePath === "/admin/dashboard" && wasLoggedIn())
  for (const path of findPreloadPaths()) preload(path);

function wasLoggedIn(): boolean {
  try {
    return localStorage.getItem(LOGGED_IN_KEY) !== null;
  } catch {
    return false;
  }
}

/** Returns the API paths to preload. The content of the first tab is needed only if the URL names no other tab. */
function findPreloadPaths(): readonly string[] {
  const { always, firstTab } = PRELOADED_PATHS;
  return location.search === "" ? [...always, ...firstTab] : always;
}

function preload(path: string): void {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  // shared/api.ts can reuse a preloaded response only if the preload also sends credentials.
  link.crossOrigin = "use-credentials";
  link.href = path;
  document.head.append(link);
}
