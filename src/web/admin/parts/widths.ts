/** Measures the width of the window and of an element. */
import { type RefCallback, useCallback, useState, useSyncExternalStore } from "react";

/** `measure` is the element's ref; `width` is in CSS pixels, undefined until measured. */
export function useWidth(): [measure: RefCallback<HTMLElement>, width: number | undefined] {
  const [width, setWidth] = useState<number>();
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [measure, width];
}

/** From 640 CSS pixels, as in the stylesheets. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("resize", changed);
      return () => window.removeEventListener("resize", changed);
    },
    () => window.innerWidth >= 640,
  );
}
