/** On which sides of a scrolling strip more follows: only there its edge fades. */
import { type RefObject, useEffect, useState } from "react";

/** "", "start", "end" or "start end". */
export function useEdges(strip: RefObject<HTMLElement | null>): string {
  const [edges, setEdges] = useState("");
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const look = () => setEdges(edgesOf(element));
    look();
    element.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      element.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [strip]);
  return edges;
}

function edgesOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): string {
  const start = scrollLeft > 1 ? ["start"] : [];
  const end = scrollLeft + clientWidth < scrollWidth - 1 ? ["end"] : [];
  return [...start, ...end].join(" ");
}
