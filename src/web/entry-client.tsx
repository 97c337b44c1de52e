/** Brings a finished page to life in the browser, with the router that rendered it on the server. */
import { RouterClient } from "@tanstack/react-router/ssr/client";
import { hydrateRoot } from "react-dom/client";
import { httpSource } from "./api.ts";
import { createSiteRouter } from "./router.tsx";

const router = createSiteRouter({ source: httpSource() });
hydrateRoot(document, <RouterClient router={router} />);
