/** Sideways swipes on a touch screen. */
import { type TouchEvent, useRef } from "react";

/** How far a finger travels sideways for a swipe, in CSS pixels. */
const DISTANCE = 40;

/** Handlers that call back with 1 for a swipe to the left (onwards), -1 for one to the right. */
export function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number }>(undefined);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      start.current =
        touches.length === 1 && touch ? { x: touch.clientX, y: touch.clientY } : undefined;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const [from, touch] = [start.current, changedTouches[0]];
      if (!from || !touch) return;
      const across = touch.clientX - from.x;
      const along = touch.clientY - from.y;
      if (Math.abs(across) > DISTANCE && Math.abs(across) > Math.abs(along)) {
        onSwipe(across < 0 ? 1 : -1);
      }
    },
  };
}
