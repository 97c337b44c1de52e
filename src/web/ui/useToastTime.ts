/** How long a toast stays: its time stands still while someone points at it, is in it, or is away. */
import { type RefObject, useEffect, useRef } from "react";
import { TOAST_DURATION } from "./toast.ts";

const HOLDING = ["pointerenter", "focusin"] as const;
const RELEASING = ["pointerleave", "focusout"] as const;

/** Calls `over` when the time is up, or Escape is pressed in the toast or its viewport. */
export function useToastTime(box: RefObject<HTMLElement | null>, over: () => void): void {
  const latest = useRef(over);
  useEffect(() => {
    latest.current = over;
  });
  useEffect(() => {
    const viewport = box.current!.closest<HTMLElement>(".ui-toasts")!;
    const away = new AbortController();
    const { signal } = away;
    const clock = startClock(() => latest.current());
    for (const type of HOLDING) viewport.addEventListener(type, clock.hold, { signal });
    for (const type of RELEASING) viewport.addEventListener(type, clock.release, { signal });
    window.addEventListener("blur", clock.hold, { signal });
    window.addEventListener("focus", clock.release, { signal });
    const escape = (event: KeyboardEvent) => event.key === "Escape" && latest.current();
    viewport.addEventListener("keydown", escape, { signal });
    return () => {
      clock.hold();
      away.abort();
    };
  }, [box]);
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
