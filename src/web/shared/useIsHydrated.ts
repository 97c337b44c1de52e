/** Whether the page is hydrated: false on the server and during hydration, true afterwards. */
import { useSyncExternalStore } from "react";

export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

const subscribeToNothing = () => () => undefined;
