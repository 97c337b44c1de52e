/** Tells the finished page from the living one. */
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False while rendered on the server and hydrated, true from then on. */
export function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
