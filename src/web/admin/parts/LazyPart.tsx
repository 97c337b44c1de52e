/** Components loaded when first shown, with loading and error states. */
import { Component, type ComponentType, type ReactNode, useEffect, useState } from "react";
import { checkVersion, reloadIfReachable, useIsOutdated } from "../data/version.ts";
import { LoadError, Loading } from "../../ui/Read.tsx";

/** A component that loads itself; `load` preloads its code and never rejects. */
export interface PreloadableComponent<Props> {
  (props: Props): ReactNode;
  readonly load: () => Promise<void>;
}

interface LazyOptions<Props> {
  /** Completes "Loading ..." and "Couldn't load ...". */
  readonly subject: string;
  readonly code: () => Promise<ComponentType<Props>>;
  /** Shown until it is loaded. */
  readonly waiting?: ReactNode;
  /** Wraps the error if it can't be loaded. */
  readonly frame?: (message: ReactNode, props: Props) => ReactNode;
}

/** `lazyPart({ what: "Hero", code: async () => (await import("./HeroTab.tsx")).HeroTab })` */
export function createLazyComponent<Props extends object>({
  subject,
  code,
  waiting = <Loading message={`Loading ${subject}...`} />,
  frame = (message) => message,
}: LazyOptions<Props>): PreloadableComponent<Props> {
  let Part: ComponentType<Props> | undefined;
  const fetchPart = async () => {
    Part ??= await code();
  };
  function Lazy(props: Props) {
    const [state, setState] = useState<"coming" | "here" | "failed">(Part ? "here" : "coming");
    useEffect(() => {
      // Also if it is loaded by now: a preload may end after this was rendered, and renders nothing.
      fetchPart().then(
        () => setState("here"),
        () => setState("failed"),
      );
    }, []);
    if (Part) {
      return (
        <ErrorBoundary subject={subject}>
          <Part {...props} />
        </ErrorBoundary>
      );
    }
    if (state !== "failed") return waiting;
    const retry = () => fetchPart().then(() => setState("here"), reloadIfReachable);
    return frame(<CodeLoadError subject={subject} onRetry={() => void retry()} />, props);
  }
  return Object.assign(Lazy, { load: () => fetchPart().catch(() => undefined) });
}

/**
 * Code that failed to load. A browser may cache the failure, so `onRetry` finally reloads the page, without losing
 * unsaved input.
 */
export function CodeLoadError({ subject, onRetry }: { subject: string; onRetry: () => void }) {
  useEffect(() => void checkVersion(), []);
  const advice = useIsOutdated() ? "A new version is available." : undefined;
  return <LoadError subject={subject} advice={advice} onRetry={onRetry} />;
}

interface BoundaryProps {
  /** A failed child is mounted anew when this changes. */
  readonly of?: unknown;
  /** Completes "Couldn't load ...", which is shown with Retry in place of a failed child. */
  readonly subject: string;
  /** Shown instead of that. */
  readonly message?: ReactNode;
  readonly children: ReactNode;
}

/** An error inside affects nothing outside. */
export class ErrorBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  readonly #retry = () => this.setState({ failed: false });

  override componentDidUpdate({ of }: BoundaryProps) {
    if (this.state.failed && of !== this.props.of) this.#retry();
  }

  override render() {
    const { subject, message, children } = this.props;
    if (!this.state.failed) return children;
    return message ?? <LoadError subject={subject} onRetry={this.#retry} />;
  }
}
