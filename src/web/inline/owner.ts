/**
 * What an owner's page does before its code is there: it has the code fetched, on the login once the login's
 * outline has been painted, which the code would only delay; and for who has been in the dashboard with this
 * browser before, it asks for what the dashboard will read, so that the answers don't wait for the code.
 */
import { INSIDE, READ_FIRST } from "../shared/inside.ts";

/** The file of the owner's code; stands before this program. */
declare const SCRIPT: string;

/** How long the outline may take to be painted, in milliseconds: a page in a tab behind never is. */
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

/** The first tab's content is read only where the address names no other. */
function readFirst(): readonly string[] {
  const { always, firstTab } = READ_FIRST;
  return location.search === "" ? [...always, ...firstTab] : always;
}

function preload(address: string): void {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  // As shared/api.ts asks, or the answer would not be taken for its own.
  link.crossOrigin = "use-credentials";
  link.href = address;
  document.head.append(link);
}
