/** Reads a signal in a component. */
import type { ReadonlySignal } from "@preact/signals-react";
import { useCallback, useSyncExternalStore } from "react";

/**
 * Returns a signal's value, and renders the component again when it changes. In the dashboard, signals are read only in
 * `ui` and `admin/data`, always with this function, so no component misses a change (tests/web/signals.test.ts). The
 * library's `useSignals` isn't used there. It also subscribes to signals that layout effects read, so a component whose
 * effects change such a signal would be rendered endlessly.
 */
export function useSignalValue<T>(signal: ReadonlySignal<T>): T {
  const subscribe = useCallback((onChange: () => void) => signal.subscribe(onChange), [signal]);
  const getValue = () => signal.peek();
  return useSyncExternalStore(subscribe, getValue, getValue);
}
