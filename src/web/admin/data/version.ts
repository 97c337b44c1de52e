/** Whether the site has gone on to another version of the dashboard, and how this one gives way to it. */
import { signal } from "@preact/signals-react";
import { statusOf } from "../../shared/reachable.ts";
import { areDraftsKept } from "./keptDrafts.ts";

/** True once the site no longer has the code that this dashboard is made of. */
export const isOutdated = signal(false);

/** How often a dashboard that is looked at asks, in milliseconds. */
const EVERY = 300_000;

/** Asks now and then, and whenever the owner comes back to the dashboard; returns how to end that. */
export function watchVersion(): () => void {
  const timer = setInterval(lookIfSeen, EVERY);
  document.addEventListener("visibilitychange", lookIfSeen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", lookIfSeen);
  };
}

function lookIfSeen(): void {
  if (document.visibilityState === "visible") void lookForVersion();
}

/**
 * Asks for the file that this code came in: its name has a hash of all that the dashboard consists of.
 * Returns whether the site answers at all.
 */
export async function lookForVersion(): Promise<boolean> {
  const status = await statusOf(import.meta.url);
  if (status === 404) isOutdated.value = true;
  return status !== undefined;
}

let reloading = false;

/** True while the page is left by `reload`: then nobody has to be asked. */
export const isReloading = () => reloading;

/** Loads the dashboard anew; the browser asks first if what was typed isn't kept on this device. */
function reload(): void {
  reloading = areDraftsKept();
  window.location.reload();
}

/** As `reload`, but never away from the page without a network. Returns whether it goes ahead. */
export async function reloadIfReachable(): Promise<boolean> {
  const reachable = await lookForVersion();
  if (reachable) reload();
  return reachable;
}
