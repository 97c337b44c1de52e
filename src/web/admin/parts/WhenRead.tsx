/** Something that is read first: words and the shape of rows until then, Retry when it failed. */
import RotateCw from "lucide-react/icons/rotate-cw";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** A draft or a read of an entity. */
type Read =
  | { readonly ready: boolean; readonly loadError: Error | null; readonly reload: () => void }
  | { readonly value: unknown; readonly error: Error | null; readonly reload: () => void };

/** `what` completes "Loading … content..." and "Couldn't load …". */
interface WhenReadProps {
  readonly of: Read;
  readonly what: string;
  /** The words while loading, where the specification has its own. */
  readonly words?: string;
  readonly children: () => ReactNode;
}

export function WhenRead({ of, what, words = `Loading ${what}...`, children }: WhenReadProps) {
  const error = "loadError" in of ? of.loadError : of.error;
  const ready = "ready" in of ? of.ready : of.value !== undefined;
  if (ready) return children();
  return error ? <LoadFailed what={what} onRetry={of.reload} /> : <Loading words={words} />;
}

/** `words` as the specification has them ("Loading statistics..."). */
export function Loading({ words, rows = 4 }: { words: string; rows?: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" aria-live="polite">
      <p>{words}</p>
      {late &&
        Array.from({ length: rows }, (_, at) => (
          <div key={at} className="loading-row">
            <Skeleton width="1rem" height="0.75rem" />
            <Skeleton width={`${20 + ((at * 7) % 20)}%`} height="0.75rem" />
            <Skeleton width="4.5rem" height="0.75rem" />
          </div>
        ))}
    </div>
  );
}

/** How long before a skeleton appears, in milliseconds. */
const PATIENCE = 300;

/** `what` completes "Couldn't load …"; `advice` says why, or what to do. */
interface LoadFailedProps {
  readonly what: string;
  readonly advice?: string | undefined;
  readonly onRetry: () => void;
}

export function LoadFailed({ what, advice = CONNECTION, onRetry }: LoadFailedProps) {
  return (
    <div className="load-failed" role="alert">
      <p>
        <strong>Couldn't load {what}.</strong> {advice}
      </p>
      <Button size="small" onClick={onRetry}>
        <RotateCw size={14} aria-hidden="true" /> Retry
      </Button>
    </div>
  );
}

const CONNECTION = "Check your connection, then try again.";
