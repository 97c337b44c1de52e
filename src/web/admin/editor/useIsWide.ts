/** Whether there is room for what a computer shows. */
import { useSyncExternalStore } from "react";

/** True where a computer's size has room: from 640 CSS pixels on, as in the style sheets. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("resize", changed);
      return () => window.removeEventListener("resize", changed);
    },
    () => window.innerWidth >= 640,
  );
}
