/**
 * Creates components whose code is loaded when they are first rendered. Shows a text while loading, and a message with
 * Retry after a failure.
 */
import { Component, type ComponentType, type ReactNode, useEffect, useState } from "react";
import { checkVersion, reloadIfReachable, useIsOutdated } from "../data/version.ts";
import { LoadError, Loading } from "../../ui/AsyncContent.tsx";

/** A component with a function `load` that preloads its code. `load` never rejects. */
export interface PreloadableComponent<Props> {
  (props: Props): ReactNode;
  readonly load: () => Promise<void>;
}

interface LazyOptions<Props> {
  /** The end of the sentences "Loading ..." and "Couldn't load ...". */
  readonly subject: string;
  readonly loadCode: () => Promise<ComponentType<Props>>;
  readonly placeholder?: ReactNode;
  /** Returns the error message in another element, for example in a dialog. Default: the message alone. */
  readonly wrapError?: (message: ReactNode, props: Props) => ReactNode;
}

/** `createLazyComponent({ subject: "Hero", loadCode: async () => (await import("./HeroTab.tsx")).HeroTab })` */
export function createLazyComponent<Props extends object>({
  subject,
  loadCode,
  placeholder = <Loading message={`Loading ${subject}...`} />,
  wrapError = (message) => message,
}: LazyOptions<Props>): PreloadableComponent<Props> {
  let LoadedComponent: ComponentType<Props> | undefined;
  const fetchCode = async () => {
    LoadedComponent ??= await loadCode();
  };
  function Lazy(props: Props) {
    const [state, setState] = useState<"loading" | "loaded" | "failed">(
      LoadedComponent ? "loaded" : "loading",
    );
    useEffect(() => {
      // Sets the state even if the code is already loaded: a preload that finished after the render doesn't cause a new
      // render.
      fetchCode().then(
        () => setState("loaded"),
        () => setState("failed"),
      );
    }, []);
    if (LoadedComponent) {
      return (
        <ErrorBoundary subject={subject}>
          <LoadedComponent {...props} />
        </ErrorBoundary>
      );
    }
    if (state !== "failed") return placeholder;
    const retry = () => fetchCode().then(() => setState("loaded"), reloadIfReachable);
    return wrapError(<CodeLoadError subject={subject} onRetry={() => void retry()} />, props);
  }
  return Object.assign(Lazy, { load: () => fetchCode().catch(() => undefined) });
}

/**
 * A message with a Retry button, for code that failed to load. Browsers may cache the failure, so `onRetry` must reload
 * the page if retrying doesn't help. Unsaved input is kept.
 */
export function CodeLoadError({ subject, onRetry }: { subject: string; onRetry: () => void }) {
  useEffect(() => void checkVersion(), []);
  const advice = useIsOutdated() ? "A new version is available." : undefined;
  return <LoadError subject={subject} advice={advice} onRetry={onRetry} />;
}

interface ErrorBoundaryProps {
  /** If this value changes after an error, the children are rendered again. */
  readonly resetKey?: unknown;
  /**
   * The end of the sentence "Couldn't load ...". After an error, this message and a Retry button replace the children.
   */
  readonly subject: string;
  /** Content that replaces the default message. */
  readonly message?: ReactNode;
  readonly children: ReactNode;
}

/** Catches errors that its children throw while rendering, so that the rest of the page still works. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  readonly #retry = () => this.setState({ hasFailed: false });

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps) {
    if (this.state.hasFailed && resetKey !== this.props.resetKey) this.#retry();
  }

  override render() {
    const { subject, message, children } = this.props;
    if (!this.state.hasFailed) return children;
    return message ?? <LoadError subject={subject} onRetry={this.#retry} />;
  }
}
