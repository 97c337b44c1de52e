/** Shows content that has to be loaded: a text and a skeleton while it loads, and a Retry button after a failure. */
import RotateCw from "lucide-react/icons/rotate-cw";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./Button.tsx";

/** `value` is undefined until it is loaded. `error` is null while an older value can be shown. */
export interface LoadState<T> {
  readonly value: T | undefined;
  readonly error: Error | null;
  readonly reload: () => void;
}

/** `isReady` is false while the stored values are loading. */
export interface DraftLoadState {
  readonly isReady: boolean;
  readonly loadError: Error | null;
  readonly reload: () => void;
}

/** `subject` completes "Loading ..." and "Couldn't load ...". */
interface AsyncContentProps<T> {
  readonly state: LoadState<T> | DraftLoadState;
  readonly subject: string;
  /** The text while the content loads. Default: "Loading " and the subject. */
  readonly loadingMessage?: string;
  readonly rows?: number;
  /** Returns the reason for a failure, or what to do. Default: the advice to check the connection. */
  readonly getAdvice?: (error: Error) => string | undefined;
  readonly children: (value: T) => ReactNode;
}

/** Example: `<AsyncContent state={useMail()} subject="the mail">{(state) => <Mail state={state} />}</AsyncContent>` */
export function AsyncContent<T>(props: AsyncContentProps<T>) {
  const {
    state,
    subject,
    loadingMessage = `Loading ${subject}...`,
    rows,
    getAdvice,
    children,
  } = props;
  if ("isReady" in state ? state.isReady : state.value !== undefined)
    return children(("isReady" in state ? undefined : state.value) as T);
  const error = "isReady" in state ? state.loadError : state.error;
  if (!error) return <Loading message={loadingMessage} rows={rows} />;
  return <LoadError subject={subject} advice={getAdvice?.(error)} onRetry={state.reload} />;
}

/** `message` is a text such as "Loading statistics...". */
export function Loading({ message, rows = 4 }: { message: string; rows?: number | undefined }) {
  const [isSkeletonShown, setSkeletonShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSkeletonShown(true), SKELETON_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading faint small pad" aria-live="polite">
      <p>{message}</p>
      {isSkeletonShown &&
        Array.from({ length: rows }, (_, index) => (
          <div key={index} className="loading-row row gap-16 border-bottom">
            <Skeleton width="1rem" height="0.75rem" />
            <Skeleton width={`${20 + ((index * 7) % 20)}%`} height="0.75rem" />
            <Skeleton width="4.5rem" height="0.75rem" />
          </div>
        ))}
    </div>
  );
}

/** The delay before the skeleton appears, in milliseconds. */
const SKELETON_DELAY_MS = 300;

/** `subject` completes "Couldn't load ..."; `advice` is the reason, or what to do. */
interface LoadErrorProps {
  readonly subject: string;
  readonly advice?: string | undefined;
  readonly onRetry: () => void;
}

export function LoadError({ subject, advice = CONNECTION_ADVICE, onRetry }: LoadErrorProps) {
  return (
    <div className="quiet pad row cluster gap-12 justify-between" role="alert">
      <p>
        <strong>Couldn't load {subject}.</strong> {advice}
      </p>
      <Button size="small" onClick={onRetry}>
        <RotateCw size={14} aria-hidden="true" /> Retry
      </Button>
    </div>
  );
}

const CONNECTION_ADVICE = "Check your connection, then try again.";

/** The size as CSS lengths. By default the skeleton fills its container. */
interface SkeletonProps {
  readonly width?: string;
  readonly height?: string;
}

/** A gray placeholder for content that is loading. It is hidden from assistive technology. */
export const Skeleton = (style: SkeletonProps) => (
  <span aria-hidden="true" className="ui-skeleton" style={style} />
);
