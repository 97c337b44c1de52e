/** Brings a finished page to life in the browser, with the router that rendered it on the server. */
import { RouterClient } from "@tanstack/react-router/ssr/client";
import { hydrateRoot } from "react-dom/client";
import { createSiteRouter } from "./router.tsx";
import { httpSource } from "./shared/api.ts";

const router = createSiteRouter({ source: httpSource() });
hydrateRoot(document, <RouterClient router={router} />);
