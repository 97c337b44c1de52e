/** Moves by arrow keys and by sideways swipes, for the whole window while something modal is open. */
import { useEffect, useRef } from "react";

/** How far a finger travels sideways for a swipe, in CSS pixels. */
const DISTANCE = 40;

/** Calls back with 1 for onwards (right arrow, a swipe to the left) and -1 for back. */
export function useMoves(active: boolean, onMove: (by: 1 | -1) => void): void {
  const latest = useRef(onMove);
  useEffect(() => {
    latest.current = onMove;
  });
  useEffect(() => {
    if (!active) return;
    const away = new AbortController();
    listen(away.signal, (by) => latest.current(by));
    return () => away.abort();
  }, [active]);
}

function listen(signal: AbortSignal, onMove: (by: 1 | -1) => void): void {
  let start: Touch | undefined;
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") onMove(-1);
    if (key === "ArrowRight") onMove(1);
  };
  const onStart = ({ touches }: TouchEvent) => {
    start = touches.length === 1 ? touches[0] : undefined;
  };
  const onEnd = ({ changedTouches }: TouchEvent) => {
    const end = changedTouches[0];
    if (!start || !end) return;
    const across = end.clientX - start.clientX;
    if (Math.abs(across) < DISTANCE || Math.abs(across) < Math.abs(end.clientY - start.clientY))
      return;
    onMove(across < 0 ? 1 : -1);
  };
  addEventListener("keydown", onKey, { signal });
  addEventListener("touchstart", onStart, { signal, passive: true });
  addEventListener("touchend", onEnd, { signal, passive: true });
}
