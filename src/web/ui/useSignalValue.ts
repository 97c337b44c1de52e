/** Reads a signal in a component. */
import type { ReadonlySignal } from "@preact/signals-react";
import { useCallback, useSyncExternalStore } from "react";

/**
 * Returns a signal's value, and renders the component again when it changes. Only `ui` and `admin/data` read signals,
 * always with this function, so no component misses a change (tests/web/signals.test.ts). The library's `useSignals`
 * also follows signals that layout effects read; where the effects also write them, components were rendered endlessly.
 */
export function useSignalValue<T>(signal: ReadonlySignal<T>): T {
  const subscribe = useCallback((onChange: () => void) => signal.subscribe(onChange), [signal]);
  const getValue = () => signal.peek();
  return useSyncExternalStore(subscribe, getValue, getValue);
}
