/** The routes of the site (spec section 2), the same on the server and in the browser. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import type { PlainEnquiryState } from "../schema/enquiry.ts";
import { AdminPending } from "./adminRoutes.tsx";
import { type ContentSource, loadPage } from "./content.ts";
import { Document } from "./Document.tsx";
import type { Shell } from "./shell.ts";
import { loadEnquiry } from "./site/enquiry/loadEnquiry.ts";
import { coachingHead, homeHead, notFoundHead, policyHead, rootHead } from "./site/head.ts";
import { HomePending } from "./site/HomePending.tsx";
import { NotFound } from "./site/NotFound.tsx";

// When the router may scroll the page: not away from under a visitor who was there before it.

let alive = false;

/**
 * The router's `scrollRestoration`. The page can be read and scrolled before its scripts run; the
 * router's first rendering would then send its visitor back to the top.
 */
function restoresScrolling(): boolean {
  if (typeof window === "undefined") return true;
  const isFirst = !alive;
  alive = true;
  return !isFirst || window.scrollY === 0;
}

/** How long a page may take before its skeleton shows, in milliseconds. */
const PENDING_AFTER = 150;

/** About and statistics stay fresh for five minutes (spec section 7), so the home page does. */
const HOME_KEPT = 300_000;

/** The sections come with the page that shows them; the dashboard loads them for its previews alone. */
const sections = () => import("./site/sections/index.ts");

/** What the routes need: where content comes from, and on the server the shell. */
interface RouterContext {
  readonly source: ContentSource;
  readonly shell?: Shell;
  /** Where a post of the enquiry form without scripts has led. */
  readonly enquiryState?: PlainEnquiryState | undefined;
}

const root = createRootRouteWithContext<RouterContext>()({
  // The server gives the shell; in the browser it came with the page and is never asked for again.
  loader: ({ context }) => context.shell as Shell,
  staleTime: Number.POSITIVE_INFINITY,
  head: ({ loaderData }) => rootHead(loaderData),
  shellComponent: Document,
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  loader: async ({ context, parentMatchPromise }) => {
    const { site } = (await parentMatchPromise).loaderData as Shell;
    return loadPage(context.source, (await sections()).HOME_READS, site.name);
  },
  head: ({ loaderData, matches }) => homeHead(shellOf(matches), loaderData),
  component: lazyRouteComponent(() => import("./site/Home.tsx"), "Home"),
  pendingComponent: HomePending,
  gcTime: HOME_KEPT,
  // Defaults that stand in for what could not be read are not kept: the next visit asks again.
  shouldReload: ({ context }) => context.source.hasFailed?.() || undefined,
});

const coaching = createRoute({
  getParentRoute: () => root,
  path: "/coaching",
  loader: async ({ context, parentMatchPromise }) => {
    const enquiry = loadEnquiry(context.source);
    const { site } = (await parentMatchPromise).loaderData as Shell;
    const page = await loadPage(context.source, (await sections()).COACHING_READS, site.name);
    return {
      ...page,
      // Only the server waits for the form; in the browser the page comes first.
      enquiry: context.shell ? await enquiry : enquiry,
      plain: context.enquiryState ?? null,
    };
  },
  head: ({ loaderData, matches }) => coachingHead(shellOf(matches), loaderData),
  component: lazyRouteComponent(() => import("./site/Coaching.tsx"), "Coaching"),
  // Its transformations are always fresh (spec section 7); the rest comes from the cache of api.ts.
  gcTime: 0,
});

const policy = createRoute({
  getParentRoute: () => root,
  path: "/privacy-policy",
  head: ({ matches }) => policyHead(shellOf(matches)),
  component: lazyRouteComponent(() => import("./site/PrivacyPolicy.tsx"), "PrivacyPolicy"),
});

const admin = createRoute({
  getParentRoute: () => root,
  path: "/admin",
  ssr: false,
  component: lazyRouteComponent(() => import("./admin/Admin.tsx"), "Admin"),
  pendingComponent: AdminPending,
  head: () => ({ meta: [{ title: "Limelight" }, { name: "robots", content: "noindex" }] }),
});

const adminIndex = createRoute({
  getParentRoute: () => admin,
  path: "/",
  component: lazyRouteComponent(() => import("./admin/Login.tsx"), "Login"),
});

const login = createRoute({
  getParentRoute: () => admin,
  path: "/login",
  component: lazyRouteComponent(() => import("./admin/Login.tsx"), "Login"),
});

const setup = createRoute({
  getParentRoute: () => admin,
  path: "/setup",
  validateSearch: (search): { token?: string } =>
    search["token"] ? { token: String(search["token"]) } : {},
  component: lazyRouteComponent(() => import("./admin/Setup.tsx"), "Setup"),
});

const dashboard = createRoute({
  getParentRoute: () => admin,
  path: "/dashboard",
  validateSearch: (search): { tab?: string; sub?: string; form?: string } => ({
    ...(search["tab"] ? { tab: String(search["tab"]) } : {}),
    ...(search["sub"] ? { sub: String(search["sub"]) } : {}),
    ...(search["form"] ? { form: String(search["form"]) } : {}),
  }),
  component: lazyRouteComponent(() => import("./admin/Dashboard.tsx"), "Dashboard"),
});

/** The id of the route of addresses that lead nowhere. */
export const NOWHERE = "/$";

/** Every other address, below the pages too. */
const nowhere = createRoute({
  getParentRoute: () => root,
  path: "$",
  head: ({ matches }) => notFoundHead(shellOf(matches)),
  component: NotFound,
});

const tree = root.addChildren([
  home,
  coaching,
  policy,
  nowhere,
  admin.addChildren([adminIndex, login, setup, dashboard]),
]);

/**
 * Makes a router; one for each rendering on the server, one for the life of the page in the browser.
 * `nonce` marks the inline code of a rendering as the page's own.
 */
export function createSiteRouter(context: RouterContext, nonce?: string) {
  return createRouter({
    routeTree: tree,
    context,
    ...(nonce && { ssr: { nonce } }),
    caseSensitive: false,
    scrollRestoration: restoresScrolling,
    defaultStaleTime: Number.POSITIVE_INFINITY,
    defaultPreload: "intent",
    defaultPendingMs: PENDING_AFTER,
  });
}

function shellOf(matches: readonly { loaderData?: unknown }[]): Shell {
  return matches[0]!.loaderData as Shell;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createSiteRouter>;
  }
}
