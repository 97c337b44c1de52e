/** Reads a signal in a component. */
import type { ReadonlySignal } from "@preact/signals-react";
import { useCallback, useSyncExternalStore } from "react";

/**
 * Only `ui` and `admin/data` read signals, always with this function, so no component misses a change
 * (tests/web/signals.test.ts). `useSignals` of the library also follows signals that layout effects read, and rendered
 * endlessly where those effects write them.
 */
export function useSignalValue<T>(signal: ReadonlySignal<T>): T {
  const subscribe = useCallback((onChange: () => void) => signal.subscribe(onChange), [signal]);
  const getValue = () => signal.peek();
  return useSyncExternalStore(subscribe, getValue, getValue);
}
