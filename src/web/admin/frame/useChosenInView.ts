/** Keeps the chosen tab of a scrolling strip in view. */
import { type RefObject, useEffect } from "react";

/** Scrolls the strip, never the page, when another tab is chosen or one grows by a number. */
export function useChosenInView(strip: RefObject<HTMLElement | null>, chosenId: string): void {
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const show = () => {
      const chosen = document.getElementById(chosenId);
      if (!chosen) return;
      element.scrollLeft = chosen.offsetLeft - (element.clientWidth - chosen.offsetWidth) / 2;
    };
    const observer = new ResizeObserver(show);
    for (const tab of element.querySelectorAll("[role=tab]")) observer.observe(tab);
    return () => observer.disconnect();
  }, [strip, chosenId]);
}
