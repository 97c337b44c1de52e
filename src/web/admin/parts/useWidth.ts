/** The width of the window, for what style sheets can't decide. */
import { useSyncExternalStore } from "react";

/** The window's width in CSS pixels, kept up to date. */
export function useWidth(): number {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("resize", changed);
      return () => window.removeEventListener("resize", changed);
    },
    () => window.innerWidth,
  );
}
