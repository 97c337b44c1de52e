/** Detects a newer version of the dashboard, and reloads the page. */
import { signal } from "@preact/signals-react";
import { fetchStatus } from "../../shared/api.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import { canStoreDrafts } from "./draftStorage.ts";

const isOutdated = signal(false);

export const useIsOutdated = () => useSignalValue(isOutdated);

/** How often a visible dashboard checks for a new version. */
const CHECK_INTERVAL_MS = 300_000;

/** Checks regularly, and when the page becomes visible. Returns a function that stops the checks. */
export function startVersionChecks(): () => void {
  const timer = setInterval(checkWhenVisible, CHECK_INTERVAL_MS);
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
 * Requests this file, whose name contains a hash of its code. A 404 means that the site has a newer version. Resolves
 * to whether the site responds.
 */
export async function checkVersion(): Promise<boolean> {
  const status = await fetchStatus(import.meta.url);
  if (status === 404) isOutdated.value = true;
  return status !== undefined;
}

let isReloadStarted = false;

/** True while `reloadPage` leaves the page, so that the browser doesn't ask about drafts. */
export const isReloading = () => isReloadStarted;

function reloadPage(): void {
  isReloadStarted = canStoreDrafts();
  // The user may stay on the page because of uploads. Then the next attempt to leave must ask about drafts again.
  const endReload = () => void (isReloadStarted = false);
  window.addEventListener("beforeunload", endReload, { once: true });
  window.location.reload();
}

/** Reloads the page if the site responds. Resolves to whether it does. */
export async function reloadIfReachable(): Promise<boolean> {
  const isReachable = await checkVersion();
  if (isReachable) reloadPage();
  return isReachable;
}
