/** Components loaded when first shown, with loading and error states. */
import { Component, type ComponentType, type ReactNode, useEffect, useState } from "react";
import { checkVersion, reloadIfReachable, useIsOutdated } from "../data/version.ts";
import { LoadError, Loading } from "../../ui/AsyncContent.tsx";

/** A component that loads its own code when rendered. `load` preloads the code and never rejects. */
export interface PreloadableComponent<Props> {
  (props: Props): ReactNode;
  readonly load: () => Promise<void>;
}

interface LazyOptions<Props> {
  /** Completes the sentences "Loading ..." and "Couldn't load ...". */
  readonly subject: string;
  readonly loadCode: () => Promise<ComponentType<Props>>;
  /** Shown while the code loads. */
  readonly placeholder?: ReactNode;
  /** Wraps the error message if the code can't be loaded. */
  readonly wrapError?: (message: ReactNode, props: Props) => ReactNode;
}

/** `createLazyComponent({ subject: "Hero", code: async () => (await import("./HeroTab.tsx")).HeroTab })` */
export function createLazyComponent<Props extends object>({
  subject,
  loadCode,
  placeholder: waiting = <Loading message={`Loading ${subject}...`} />,
  wrapError: frame = (message) => message,
}: LazyOptions<Props>): PreloadableComponent<Props> {
  let Part: ComponentType<Props> | undefined;
  const fetchPart = async () => {
    Part ??= await loadCode();
  };
  function Lazy(props: Props) {
    const [state, setState] = useState<"coming" | "here" | "failed">(Part ? "here" : "coming");
    useEffect(() => {
      // Even if the code is loaded by now: a preload may have finished after the render, and triggers no new render.
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
 * The message about code that failed to load. Browsers may cache the failure, so if retrying doesn't help, `onRetry`
 * reloads the page. Unsaved input is kept.
 */
export function CodeLoadError({ subject, onRetry }: { subject: string; onRetry: () => void }) {
  useEffect(() => void checkVersion(), []);
  const advice = useIsOutdated() ? "A new version is available." : undefined;
  return <LoadError subject={subject} advice={advice} onRetry={onRetry} />;
}

interface BoundaryProps {
  /** When this value changes, a failed child is mounted again. */
  readonly resetKey?: unknown;
  /** Completes "Couldn't load ...". That message and Retry replace a failed child. */
  readonly subject: string;
  /** Replaces the default message. */
  readonly message?: ReactNode;
  readonly children: ReactNode;
}

/** Contains an error of its children, so that the rest of the page still works. */
export class ErrorBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  readonly #retry = () => this.setState({ failed: false });

  override componentDidUpdate({ resetKey }: BoundaryProps) {
    if (this.state.failed && resetKey !== this.props.resetKey) this.#retry();
  }

  override render() {
    const { subject, message, children } = this.props;
    if (!this.state.failed) return children;
    return message ?? <LoadError subject={subject} onRetry={this.#retry} />;
  }
}
