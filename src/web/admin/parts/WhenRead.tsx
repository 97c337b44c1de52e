/** Shows something once it is read; until then words, and on failure words with Retry. */
import type { ReactNode } from "react";
import { LoadFailed } from "./LoadFailed.tsx";
import { Loading } from "./Loading.tsx";

/** A draft or a read of an entity. */
type Read =
  | { readonly ready: boolean; readonly loadError: Error | null; readonly reload: () => void }
  | { readonly value: unknown; readonly error: Error | null; readonly reload: () => void };

/** `what` completes "Loading … content..." and "Couldn't load …". */
export interface WhenReadProps {
  readonly of: Read;
  readonly what: string;
  /** The words while loading, where the specification has its own. */
  readonly words?: string;
  readonly children: () => ReactNode;
}

/** Renders `children` when the value is there. */
export function WhenRead({ of, what, words = `Loading ${what}...`, children }: WhenReadProps) {
  const error = "loadError" in of ? of.loadError : of.error;
  const ready = "ready" in of ? of.ready : of.value !== undefined;
  if (ready) return children();
  return error ? <LoadFailed what={what} onRetry={of.reload} /> : <Loading words={words} />;
}
