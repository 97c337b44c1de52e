/** Creates components whose code is loaded when they are first rendered. A failure shows a message with Retry. */
import { Component, type ComponentType, type ReactNode, useEffect, useState } from "react";
import { checkVersion, reloadIfReachable, useIsOutdated } from "../data/version.ts";
import { LoadError, Loading } from "../../ui/AsyncContent.tsx";

/** `load` preloads the code and never rejects. */
export interface PreloadableComponent<Props> {
  (props: Props): ReactNode;
  readonly load: () => Promise<void>;
}

interface LazyOptions<Props> {
  /** The end of the sentences "Loading ..." and "Couldn't load ...". */
  readonly subject: string;
  readonly loadCode: () => Promise<ComponentType<Props>>;
  readonly placeholder?: ReactNode;
  /** Puts the error message into another element, such as a dialog. Default: the message alone. */
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
      // Runs even if the code is already loaded: a preload that ends after the render causes no new render.
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

/** Shows Retry for code that failed to load. `onRetry` may have to reload the page: browsers cache failures. */
export function CodeLoadError({ subject, onRetry }: { subject: string; onRetry: () => void }) {
  useEffect(() => void checkVersion(), []);
  const advice = useIsOutdated() ? "A new version is available." : undefined;
  return <LoadError subject={subject} advice={advice} onRetry={onRetry} />;
}

interface ErrorBoundaryProps {
  /** The children are rendered again after an error if this value changes. */
  readonly resetKey?: unknown;
  /** The end of the sentence "Couldn't load ...", which replaces the children after an error. */
  readonly subject: string;
  /** Replaces the default message. */
  readonly message?: ReactNode;
  readonly children: ReactNode;
}

/** Catches errors of its children, so that the rest of the page still works. */
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
