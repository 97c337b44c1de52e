/** The routes of the site, the same on the server and in the browser. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  useLoaderData,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { AdminFailed } from "./admin/frame/AdminFailed.tsx";
import { AdminPending } from "./admin/frame/AdminPending.tsx";
import { Document } from "./Document.tsx";
import {
  type ContentSource,
  type LoadedPage,
  loadPage,
  type ServerState,
} from "./shared/content.ts";
import type { InlineCode, Shell } from "./shared/shell.ts";
import { type Head, headOf, type PageWords, unlistedHead } from "./site/head.ts";
import { NotFound } from "./site/NotFound.tsx";
import { PageFailed } from "./site/PageFailed.tsx";
import { type PageModule, PAGES, type PublicPage } from "./site/pages.ts";

/** What the routes need: where content comes from, and what only the server has. */
export interface RouterContext {
  readonly source: ContentSource;
  readonly server?: ServerContext;
}

/** What a page is made of on the server, besides its content. */
export interface ServerContext extends ServerState {
  readonly shell: Shell;
  readonly inline: InlineCode;
  /** The fonts' rules for the first paint, which the browser never needs again. */
  readonly fontCss: string;
  /** A public page's whole head. */
  readonly headOf: (path: string, words: PageWords) => Promise<Head>;
}

/**
 * Makes a router; one for each rendering on the server, one for the life of the page in the browser.
 * `nonce` marks the inline code of a rendering as the page's own.
 */
export function createSiteRouter(context: RouterContext, nonce?: string) {
  return createRouter({
    routeTree: tree,
    context: { ...context, pages: PAGES },
    ...(nonce && { ssr: { nonce } }),
    caseSensitive: false,
    scrollRestoration: scrollsByItself(),
    defaultStaleTime: Number.POSITIVE_INFINITY,
    defaultPreload: "intent",
    defaultPendingMs: PENDING_AFTER,
    defaultErrorComponent: PageFailed,
  });
}

/** How long a page may take before its skeleton shows, in milliseconds. */
const PENDING_AFTER = 150;

/**
 * When the router may scroll: always but once. The page can be read and scrolled before its scripts run;
 * the router's first rendering would then send its visitor back to the top.
 */
function scrollsByItself(): () => boolean {
  let isFirst = true;
  return () => {
    if (typeof window === "undefined") return true;
    const wasFirst = isFirst;
    isFirst = false;
    return !wasFirst || window.scrollY === 0;
  };
}

interface RootContext extends RouterContext {
  /** For the links in the bar and the footer. */
  readonly pages: readonly PublicPage[];
}

const root = createRootRouteWithContext<RootContext>()({
  // The server gives the shell; in the browser it came with the page and is never asked for again.
  loader: ({ context }) => context.server?.shell as Shell,
  staleTime: Number.POSITIVE_INFINITY,
  // Until the page with a head of its own has come.
  head: ({ loaderData }) => ({ meta: loaderData ? [{ title: loaderData.site.name }] : [] }),
  shellComponent: Document,
});

function publicRoute<const Path extends string>(page: PublicPage & { readonly path: Path }) {
  return createRoute({
    getParentRoute: () => root,
    path: page.path as Path,
    loader: async ({
      context: { source, server },
      parentMatchPromise,
    }): Promise<LoadedPage | undefined> => {
      const { READS, readMore } = await page.module();
      if (!READS) return undefined;
      const { site } = (await parentMatchPromise).loaderData as Shell;
      const [content, more] = await Promise.all([
        loadPage(source, READS, site.name),
        readMore?.(source, server),
      ]);
      return { ...content, ...more };
    },
    head: ({ loaderData, matches, match }) => {
      const words = page.words(shellOf(matches).site.name, loaderData?.content ?? {});
      return match.context.server?.headOf(page.path, words) ?? headOf(words);
    },
    component: lazyRouteComponent(async () => ({ default: withContent(await page.module()) })),
    ...(page.Pending && { pendingComponent: page.Pending }),
    ...(page.keptFor !== undefined && { gcTime: page.keptFor }),
    // Defaults that stand in for what could not be read are not kept: the next visit asks again.
    shouldReload: ({ context }) => context.source.hasFailed?.() || undefined,
  });
}

/** A page's component with what its route has read. */
function withContent({ Page }: PageModule): ComponentType {
  const Known = Page as ComponentType<object>;
  return function PageWithContent() {
    return <Known {...useLoaderData({ strict: false })} />;
  };
}

/** The routes of a list of pages, in its order, each with its own path for the types of links. */
type RoutesOf<Pages extends readonly PublicPage[]> = {
  -readonly [At in keyof Pages]: ReturnType<typeof publicRoute<Pages[At]["path"]>>;
};

const publicRoutes = PAGES.map((page) => publicRoute(page)) as unknown as RoutesOf<typeof PAGES>;

const admin = createRoute({
  getParentRoute: () => root,
  path: "/admin",
  ssr: false,
  component: lazyRouteComponent(() => import("./admin/Admin.tsx"), "Admin"),
  pendingComponent: AdminPending,
  // The outline is the login as it will be: it needn't stay half a second (the router's default) to be understood.
  pendingMinMs: 0,
  errorComponent: AdminFailed,
  head: () => unlistedHead("Limelight"),
});

const adminIndex = createRoute({
  getParentRoute: () => admin,
  path: "/",
  component: lazyRouteComponent(() => import("./admin/Login.tsx"), "Login"),
  errorComponent: AdminFailed,
});

const login = createRoute({
  getParentRoute: () => admin,
  path: "/login",
  component: lazyRouteComponent(() => import("./admin/Login.tsx"), "Login"),
  errorComponent: AdminFailed,
});

const setup = createRoute({
  getParentRoute: () => admin,
  path: "/setup",
  component: lazyRouteComponent(() => import("./admin/Setup.tsx"), "Setup"),
  errorComponent: AdminFailed,
});

const join = createRoute({
  getParentRoute: () => admin,
  path: "/join",
  component: lazyRouteComponent(() => import("./admin/Join.tsx"), "Join"),
  errorComponent: AdminFailed,
});

/** What the address of the dashboard says: the open tab, its subtab and form, or a screen of the account. */
const DASHBOARD_SEARCH = ["tab", "sub", "form", "account"] as const;
type DashboardSearch = { [Name in (typeof DASHBOARD_SEARCH)[number]]?: string };

const welcome = createRoute({
  getParentRoute: () => admin,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./admin/Welcome.tsx"), "Welcome"),
  errorComponent: AdminFailed,
});

const dashboard = createRoute({
  getParentRoute: () => admin,
  path: "/dashboard",
  validateSearch: (search): DashboardSearch =>
    Object.fromEntries(
      DASHBOARD_SEARCH.filter((name) => search[name]).map((name) => [name, String(search[name])]),
    ),
  component: lazyRouteComponent(() => import("./admin/Dashboard.tsx"), "Dashboard"),
  errorComponent: AdminFailed,
});

/** Every other address, below the pages too. */
const nowhere = createRoute({
  getParentRoute: () => root,
  path: "$",
  head: ({ matches }) => unlistedHead(`Page Not Found | ${shellOf(matches).site.name}`),
  component: NotFound,
});

/** The id of the route of addresses that lead nowhere. */
export const NOWHERE = "/$";

/** The paths of the owner's screens. */
export const OWNERS_PATHS = [
  "/admin",
  "/admin/login",
  "/admin/setup",
  "/admin/welcome",
  "/admin/join",
  "/admin/dashboard",
];

const tree = root.addChildren([
  ...publicRoutes,
  nowhere,
  admin.addChildren([adminIndex, login, setup, welcome, join, dashboard]),
]);

function shellOf(matches: readonly { loaderData?: unknown }[]): Shell {
  return matches[0]!.loaderData as Shell;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createSiteRouter>;
  }
}
