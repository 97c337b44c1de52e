/** Reads a signal in a component. */
import type { ReadonlySignal } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";

/**
 * The signal's value; the component is rendered again when it changes. Only `ui` and `admin/data` read signals, by this,
 * so that nothing else can forget to follow one (tests/web/signals.test.ts).
 */
export function useSignalValue<T>(signal: ReadonlySignal<T>): T {
  useSignals();
  return signal.value;
}
