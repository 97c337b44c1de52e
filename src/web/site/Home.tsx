/** The home page: its sections in order. */
import { getRouteApi } from "@tanstack/react-router";
import { Footer } from "./Footer.tsx";
import { LateUpdatesTab } from "./LateUpdatesTab.tsx";
import { Navigation } from "./Navigation.tsx";
import { HOME_BUTTONS, HOME_SECTIONS } from "./sections/index.ts";

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
