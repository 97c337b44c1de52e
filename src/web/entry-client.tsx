/** Brings a finished page to life in the browser, with the router that rendered it on the server. */
import { RouterClient } from "@tanstack/react-router/ssr/client";
import { hydrateRoot } from "react-dom/client";
import { createSiteRouter } from "./router.tsx";
import { httpSource } from "./shared/api.ts";

// The page says nothing of its time, so that its bytes are the same until the content changes: it is as new as
// its arrival.
for (const match of window.$_TSR?.router?.matches ?? []) match.u = Date.now();
const router = createSiteRouter({ source: httpSource() });
hydrateRoot(document, <RouterClient router={router} />);
