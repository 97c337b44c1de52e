/** Whether the site has a newer version of the dashboard, and how to switch to it. */
import { signal } from "@preact/signals-react";
import { statusOf } from "../../shared/reachable.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import { canStoreDrafts } from "./draftStorage.ts";

const isOutdated = signal(false);

/** True once the site no longer has this dashboard's code. */
export const useIsOutdated = () => useSignalValue(isOutdated);

/** The interval at which a visible dashboard checks, in milliseconds. */
const EVERY = 300_000;

/** Checks regularly, and when the owner returns to the dashboard; returns a function that stops. */
export function watchVersion(): () => void {
  const timer = setInterval(checkWhenVisible, EVERY);
  document.addEventListener("visibilitychange", checkWhenVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", checkWhenVisible);
  };
}

function checkWhenVisible(): void {
  if (document.visibilityState === "visible") void checkVersion();
}

/**
 * Requests this code's own file: its name has a hash of the whole dashboard. Returns whether the site responds at all.
 */
export async function checkVersion(): Promise<boolean> {
  const status = await statusOf(import.meta.url);
  if (status === 404) isOutdated.value = true;
  return status !== undefined;
}

let reloading = false;

/** True while `reload` leaves the page: then nobody is asked. */
export const isReloading = () => reloading;

/** Reloads the dashboard; the browser asks first if unsaved input isn't stored on this device. */
function reload(): void {
  reloading = canStoreDrafts();
  window.location.reload();
}

/** Like `reload`, but not while offline. Returns whether it reloads. */
export async function reloadIfReachable(): Promise<boolean> {
  const reachable = await checkVersion();
  if (reachable) reload();
  return reachable;
}
