/** How much room there is for what is drawn at another size. */
import { type RefCallback, useCallback, useState } from "react";

/** `measure` is the ref of an element; `width` is its own in CSS pixels, undefined until it has been measured. */
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
