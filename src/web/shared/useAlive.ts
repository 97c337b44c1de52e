/** Whether the page lives: false on the server and while the page is brought to life, true from then on. */
import { useSyncExternalStore } from "react";

export function useAlive(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

const neverChanges = () => () => undefined;
