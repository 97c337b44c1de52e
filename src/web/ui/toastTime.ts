/** How long a toast stays; free of React, for the dashboard's toasts and the public pages' alike. */

/** How long a toast shows, in milliseconds; time under the pointer or with focus does not count. */
const TOAST_DURATION = 5000;

/** While someone points at the toast, is in it, or is away, its time stands still. */
const HOLDING = ["pointerenter", "focusin"] as const;
const RELEASING = ["pointerleave", "focusout"] as const;

/**
 * Calls `over` when the time is up, or Escape is pressed in the toast or its viewport. Returns how to stop
 * the clock.
 */
export function keepTime(viewport: HTMLElement, over: () => void): () => void {
  const away = new AbortController();
  const { signal } = away;
  const clock = startClock(over);
  for (const type of HOLDING) viewport.addEventListener(type, clock.hold, { signal });
  for (const type of RELEASING) viewport.addEventListener(type, clock.release, { signal });
  window.addEventListener("blur", clock.hold, { signal });
  window.addEventListener("focus", clock.release, { signal });
  const escape = (event: KeyboardEvent) => event.key === "Escape" && over();
  viewport.addEventListener("keydown", escape, { signal });
  return () => {
    clock.hold();
    away.abort();
  };
}

function startClock(over: () => void) {
  let left = TOAST_DURATION;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = () => {
    clearTimeout(timer);
    since = Date.now();
    timer = setTimeout(over, left);
  };
  const hold = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left = Math.max(1000, left - (Date.now() - since));
  };
  release();
  return { hold, release };
}
