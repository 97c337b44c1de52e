/** Starts the owner's screens. Their bundle shares no file with the visitors' bundle. */
import { RouterClient } from "@tanstack/react-router/ssr/client";
import { hydrateRoot } from "react-dom/client";
import { AdminError } from "./admin/frame/StandalonePage.tsx";
import { ownerRoutes } from "./ownerRoutes.tsx";
import { createSiteRouter, rootRoute } from "./router.tsx";
import { ignoreKeysWhileComposing, tolerateTranslation } from "./shared/browserFeatures.ts";

const router = createSiteRouter({
  routeTree: rootRoute.addChildren([ownerRoutes]),
  context: { pages: [] },
  errorComponent: AdminError,
  shouldManageScroll: true,
});
ignoreKeysWhileComposing();
tolerateTranslation();
hydrateRoot(document, <RouterClient router={router} />);
