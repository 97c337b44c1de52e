/** Whether the page is hydrated: false on the server and during hydration, true afterwards. */
import { useSyncExternalStore } from "react";

export function useAlive(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

const neverChanges = () => () => undefined;
