/** Reads a signal in a component. */
import type { ReadonlySignal } from "@preact/signals-react";
import { useCallback, useSyncExternalStore } from "react";

/**
 * The signal's value; the component is rendered again when it changes. Only `ui` and `admin/data` read signals, by
 * this, so that nothing else can forget to follow one (tests/web/signals.test.ts). It follows this signal alone:
 * `useSignals` would also follow the signals that layout effects below it read, and render endlessly where they write
 * them.
 */
export function useSignalValue<T>(signal: ReadonlySignal<T>): T {
  const follow = useCallback((onChange: () => void) => signal.subscribe(onChange), [signal]);
  const read = () => signal.peek();
  return useSyncExternalStore(follow, read, read);
}
