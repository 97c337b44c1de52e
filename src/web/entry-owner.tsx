/** Starts the owner's screens, in a bundle that shares no file with the visitors'. */
import { RouterClient } from "@tanstack/react-router/ssr/client";
import { hydrateRoot } from "react-dom/client";
import { AdminFailed } from "./admin/frame/AdminFailed.tsx";
import { ownerRoutes } from "./ownerRoutes.tsx";
import { createSiteRouter, root } from "./router.tsx";
import { ignoreComposing } from "./shared/composing.ts";

const router = createSiteRouter({
  routeTree: root.addChildren([ownerRoutes]),
  context: { pages: [] },
  failed: AdminFailed,
  scrolls: true,
});
ignoreComposing();
hydrateRoot(document, <RouterClient router={router} />);
