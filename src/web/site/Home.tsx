/** The home page: its sections in order. */
import { getRouteApi } from "@tanstack/react-router";
import { type ComponentType, useEffect, useState } from "react";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { useScrolledPast } from "./parts/scrolling.ts";
import { HOME_BUTTONS, HOME_SECTIONS } from "./sections/index.ts";

// The UPDATES tab, whose code comes with the first scrolling: before that it is not shown anyway.

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

const route = getRouteApi("/");

/** Shows every section of / (spec section 2). */
export function Home() {
  const page = route.useLoaderData();
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
