/** Whether the desktop layout fits. */
import { useSyncExternalStore } from "react";

/** True from 640 CSS pixels on, as in the stylesheets. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("resize", changed);
      return () => window.removeEventListener("resize", changed);
    },
    () => window.innerWidth >= 640,
  );
}
