/** Reads a signal in a component. */
import type { ReadonlySignal } from "@preact/signals-react";
import { useCallback, useSyncExternalStore } from "react";

/**
 * Returns a signal's value, and renders the component again when it changes. The dashboard reads signals only in `ui`
 * and `admin/data`, and only with this function (tests/web/signals.test.ts): `useSignals` would endlessly render a
 * component whose layout effects change a signal that they read.
 */
export function useSignalValue<T>(signal: ReadonlySignal<T>): T {
  const subscribe = useCallback((onChange: () => void) => signal.subscribe(onChange), [signal]);
  const getValue = () => signal.peek();
  return useSyncExternalStore(subscribe, getValue, getValue);
}
