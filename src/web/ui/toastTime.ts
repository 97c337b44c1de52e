/** The time for which a toast is shown; independent of React, for the dashboard and the public pages. */

/** In milliseconds; time under the pointer or with focus doesn't count. */
const TOAST_DURATION = 5000;

/** The time stops while the toast is hovered or focused, or the window isn't active. */
const HOLDING = ["pointerenter", "focusin"] as const;
const RELEASING = ["pointerleave", "focusout"] as const;

/**
 * Calls `over` when the time is up, or on Escape in the toast or its viewport. Returns a function that stops the
 * timer.
 */
export function startToastTimer(viewport: HTMLElement, over: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const clock = startClock(over);
  for (const type of HOLDING) viewport.addEventListener(type, clock.hold, { signal });
  for (const type of RELEASING) viewport.addEventListener(type, clock.release, { signal });
  window.addEventListener("blur", clock.hold, { signal });
  window.addEventListener("focus", clock.release, { signal });
  const escape = (event: KeyboardEvent) => event.key === "Escape" && over();
  viewport.addEventListener("keydown", escape, { signal });
  return () => {
    clock.hold();
    controller.abort();
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
