/** Shows toasts, one at a time (specification, section 9.1), in the dashboard and on pages without React. */
import { createCloseButtonHtml } from "./markup.ts";
import type { ToastRequest } from "./toast.ts";

/** The delay before a moved region gets its toast, in milliseconds. Screen readers must notice the region first. */
const ANNOUNCE_DELAY_MS = 100;

/**
 * Makes `region` show and announce toasts; F8 focuses it. `onDismiss` runs when a toast's time is over or the toast is
 * closed, and must dismiss it. Adds permanent listeners, so call it once.
 */
export function createToastRegion(region: HTMLElement, closeLabel: string, onDismiss?: () => void) {
  const onEnd = onDismiss ?? dismiss;
  region.className = "ui-toasts";
  region.tabIndex = -1;
  region.innerHTML = '<div aria-live="polite" aria-atomic="true"></div>';
  const liveRegion = region.firstElementChild;
  const restartTimer = createTimer(region, onEnd);
  document.addEventListener("keydown", ({ key }) => {
    if (key === "F8") region.focus();
  });
  let shownToasts: Element[] = [];
  /** The id of the timer that runs after the region was moved; 0 if none runs. */
  let settlingTimer = 0;

  function announce(): void {
    settlingTimer = 0;
    liveRegion?.replaceChildren(...shownToasts);
  }

  function dismiss(): void {
    restartTimer(0);
    shownToasts = [];
    liveRegion?.replaceChildren();
  }

  /** Replaces the current toast. Returns the new toast, whose last child is its Close button. */
  function show({ title, description = "", isDestructive }: ToastRequest): Element {
    const toast = document.createElement("div");
    toast.className = "ui-toast";
    toast.toggleAttribute("data-destructive", !!isDestructive);
    toast.innerHTML = `<div class="ui-toast-text"><div class="ui-toast-title"></div><div class="ui-toast-description"></div></div>${createCloseButtonHtml(closeLabel)}`;
    toast.querySelector(".ui-toast-title")?.append(title);
    toast.querySelector(".ui-toast-description")?.append(description);
    toast.querySelector("button")?.addEventListener("click", onEnd);
    shownToasts = [toast];
    if (!settlingTimer) announce();
    restartTimer(TOAST_DURATION_MS);
    return toast;
  }

  /**
   * Moves the region into the open dialog, since everything outside is inert, or back into the page. Inserts the toast
   * later, since screen readers ignore content that is inserted together with its region.
   */
  function moveTo(container: Element): void {
    if (region.parentElement === container) return;
    liveRegion?.replaceChildren();
    container.append(region);
    clearTimeout(settlingTimer);
    settlingTimer = window.setTimeout(announce, ANNOUNCE_DELAY_MS);
  }

  return { show, dismiss, moveTo };
}

/** The time for which a toast is shown, in milliseconds. The time stops while the toast is hovered or focused. */
const TOAST_DURATION_MS = 5000;

/** Returns a function that restarts the timer. `onEnd` runs when the time is over, or on Escape in the region. */
function createTimer(region: HTMLElement, onEnd: () => void) {
  let remainingMs = 0;
  let resumedAt = 0;
  let timer = 0;
  const resume = () => {
    clearTimeout(timer);
    resumedAt = Date.now();
    if (remainingMs) timer = window.setTimeout(onEnd, remainingMs);
  };
  const pause = () => {
    clearTimeout(timer);
    if (timer) remainingMs = Math.max(1000, remainingMs - (Date.now() - resumedAt));
    timer = 0;
  };
  for (const type of ["pointerenter", "focusin"]) region.addEventListener(type, pause);
  for (const type of ["pointerleave", "focusout"]) region.addEventListener(type, resume);
  addEventListener("blur", pause);
  addEventListener("focus", resume);
  region.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") onEnd();
  });
  /** Restarts the timer with a duration in milliseconds; 0 stops it. */
  return (duration: number) => {
    pause();
    remainingMs = duration;
    resume();
  };
}
