/** The UPDATES tab, whose code comes with the first scrolling: before that it is not shown anyway. */
import { type ComponentType, useEffect, useState } from "react";
import { useScrolledPast } from "./scrolling.ts";

/** Renders nothing until the page is scrolled, then the tab. */
export function LateUpdatesTab() {
  const scrolled = useScrolledPast(0);
  const [Tab, setTab] = useState<ComponentType>();
  useEffect(() => {
    if (!scrolled || Tab) return;
    import("./mailingList/UpdatesTab.tsx").then(
      ({ UpdatesTab }) => setTab(() => UpdatesTab),
      // Without a connection there is nothing to join.
      () => undefined,
    );
  }, [scrolled, Tab]);
  return Tab ? <Tab /> : null;
}
