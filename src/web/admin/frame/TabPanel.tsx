/** The open tab's editor, its code fetched when it is first opened. */
import { Component, type ReactNode, Suspense } from "react";
import { LoadFailed } from "../parts/LoadFailed.tsx";
import { Loading } from "../parts/Loading.tsx";
import { TabContext } from "./TabContext.ts";
import { useOpenTab } from "./useOpenTab.ts";

/** Renders the panel; a tab that fails says so and leaves the others alone. */
export function TabPanel() {
  const [tab] = useOpenTab();
  return (
    <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab.key}`}>
      <TabContext.Provider value={tab.key}>
        <Failsafe key={tab.key} label={tab.label}>
          <Suspense fallback={<Loading words={`Loading ${tab.label}...`} />}>
            <tab.Component tab={tab} />
          </Suspense>
        </Failsafe>
      </TabContext.Provider>
    </div>
  );
}

class Failsafe extends Component<{ label: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { label, children } = this.props;
    // A chunk that could not be fetched is only asked for again by a new page; drafts are kept.
    return this.state.failed ? (
      <LoadFailed what={label} onRetry={() => window.location.reload()} />
    ) : (
      children
    );
  }
}
