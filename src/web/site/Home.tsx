/** The home page: its sections in order. */
import { type ComponentType, useEffect, useState } from "react";
import type { LoadedPage } from "../shared/content.ts";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { useScrolledPast } from "./parts/scrolling.ts";
import { HOME_BUTTONS, HOME_SECTIONS } from "./sections/index.ts";

export { HOME_READS as READS } from "./sections/index.ts";

/** Every section of / (specification, section 2.3). */
export function Page(page: LoadedPage) {
  return (
    <>
      <Navigation sections={HOME_BUTTONS} />
      <main id="main" className="page" suppressHydrationWarning>
        {HOME_SECTIONS.map(({ Component, reads }) => (
          <Component key={reads[0]} {...page} />
        ))}
      </main>
      <LateUpdatesTab />
      <Footer credit="Website by" />
    </>
  );
}

/** The UPDATES tab, whose code comes with the first scrolling: before that it is not shown anyway. */
function LateUpdatesTab() {
  const scrolled = useScrolledPast(0);
  const [Tab, setTab] = useState<ComponentType>();
  useEffect(() => {
    if (!scrolled || Tab) return;
    import("./mailingList/UpdatesTab.tsx").then(
      ({ UpdatesTab }) => setTab(() => UpdatesTab),
      // Without a connection nobody could join anyway.
      () => undefined,
    );
  }, [scrolled, Tab]);
  return Tab ? <Tab /> : null;
}
