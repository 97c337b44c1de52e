/** Brings a finished public page to life in the browser, with the router that rendered it on the server. */
import { RouterClient } from "@tanstack/react-router/ssr/client";
import { type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { createSiteRouter, root } from "./router.tsx";
import { httpSource } from "./shared/api.ts";
import { PageFailed } from "./site/PageFailed.tsx";
import { PAGES } from "./site/pages.ts";
import { nowhere, publicRoutes } from "./siteRoutes.tsx";

// The page says nothing of its time, so that its bytes are the same until the content changes: it is as new as
// its arrival.
for (const match of window.$_TSR?.router?.matches ?? []) match.u = Date.now();
const router = createSiteRouter({
  routeTree: root.addChildren([...publicRoutes, nowhere]),
  context: { source: httpSource(), pages: PAGES },
  failed: PageFailed,
});
hydrateRoot(
  document,
  <Alive>
    <RouterClient router={router} />
  </Alive>,
);

/**
 * Tells the page's own program (inline/wake.ts) that presses are listened to from now on. It stands around the
 * page, since beside it ids would be counted differently from the server's.
 */
function Alive({ children }: { children: ReactNode }) {
  useEffect(() => void dispatchEvent(new Event("alive")), []);
  return children;
}
