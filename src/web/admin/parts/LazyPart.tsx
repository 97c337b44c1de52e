/** Parts whose code comes when they are first shown, with words while it comes and when it can't. */
import { useSignals } from "@preact/signals-react/runtime";
import { Component, type ComponentType, type ReactNode, useEffect, useState } from "react";
import { isOutdated, lookForVersion, reloadIfReachable } from "../data/version.ts";
import { LoadFailed, Loading } from "../../ui/Read.tsx";

/** A component that loads itself; `load` fetches its code ahead and never rejects. */
export interface LazyPart<Props> {
  (props: Props): ReactNode;
  readonly load: () => Promise<void>;
}

interface LazyOptions<Props> {
  /** Completes "Loading ..." and "Couldn't load ...". */
  readonly what: string;
  readonly code: () => Promise<ComponentType<Props>>;
  /** Stands in its place until it is there. */
  readonly waiting?: ReactNode;
  /** Goes around the words when it can't be loaded. */
  readonly frame?: (words: ReactNode, props: Props) => ReactNode;
}

/** `lazyPart({ what: "Hero", code: async () => (await import("./HeroTab.tsx")).HeroTab })` */
export function lazyPart<Props extends object>({
  what,
  code,
  waiting = <Loading words={`Loading ${what}...`} />,
  frame = (words) => words,
}: LazyOptions<Props>): LazyPart<Props> {
  let Part: ComponentType<Props> | undefined;
  const fetchPart = async () => {
    Part ??= await code();
  };
  function Lazy(props: Props) {
    const [state, setState] = useState<"coming" | "here" | "failed">(Part ? "here" : "coming");
    useEffect(() => {
      if (Part) return;
      fetchPart().then(
        () => setState("here"),
        () => setState("failed"),
      );
    }, []);
    if (Part) {
      return (
        <Boundary what={what}>
          <Part {...props} />
        </Boundary>
      );
    }
    if (state !== "failed") return waiting;
    const retry = () => fetchPart().then(() => setState("here"), reloadIfReachable);
    return frame(<CodeFailed what={what} onRetry={() => void retry()} />, props);
  }
  return Object.assign(Lazy, { load: () => fetchPart().catch(() => undefined) });
}

/**
 * Code that could not be fetched. A browser may remember that and fail for good, so that `onRetry` ends
 * in loading the page anew, which keeps what was typed.
 */
export function CodeFailed({ what, onRetry }: { what: string; onRetry: () => void }) {
  useSignals();
  useEffect(() => void lookForVersion(), []);
  const advice = isOutdated.value ? "A new version is here." : undefined;
  return <LoadFailed what={what} advice={advice} onRetry={onRetry} />;
}

/** What fails inside leaves everything around it alone. */
class Boundary extends Component<{ what: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { what, children } = this.props;
    if (!this.state.failed) return children;
    return <LoadFailed what={what} onRetry={() => void reloadIfReachable()} />;
  }
}
