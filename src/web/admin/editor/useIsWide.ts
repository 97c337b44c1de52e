/** Whether the window is wide enough for the desktop layout. */
import { useSyncExternalStore } from "react";

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
