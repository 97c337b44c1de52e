/** Measures the width of the window and of an element. */
import { type RefCallback, useCallback, useState, useSyncExternalStore } from "react";

/** `measureRef` is the element's ref. `width` is in CSS pixels, undefined until measured. */
export function useWidth(): [measureRef: RefCallback<HTMLElement>, width: number | undefined] {
  const [width, setWidth] = useState<number>();
  const measureRef = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [measureRef, width];
}

/** Returns whether the window is at least 640 px wide. Stylesheets have the same breakpoint. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      window.addEventListener("resize", onChange);
      return () => window.removeEventListener("resize", onChange);
    },
    () => window.innerWidth >= 640,
  );
}
