/** What all routes hang on, and the router of a page; which routes it has, each entry says. */
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRouter,
  type ErrorRouteComponent,
} from "@tanstack/react-router";
import { Document } from "./Document.tsx";
import type { ContentSource, ServerState } from "./shared/content.ts";
import type { InlineCode, Shell } from "./shared/shell.ts";
import type { PageWords } from "./site/head.ts";
import type { Head } from "./site/unlistedHead.ts";
import type { PublicPage } from "./site/pages.ts";
import type { SiteWords } from "./words/siteWords.ts";

/** What the routes need: links, and what only the server has. */
interface RouterContext {
  /** For the links in the bar and the footer. */
  readonly pages: readonly PublicPage[];
  readonly server?: ServerContext;
}

/** What a page is made of on the server, besides its content. */
export interface ServerContext extends ServerState {
  /** Where content comes from. */
  readonly source: ContentSource;
  readonly shell: Shell;
  readonly inline: InlineCode;
  readonly words: SiteWords;
  /** What the page runs by itself (inline/parts.ts, owner.ts), with the addresses of its code. */
  readonly program?: string | undefined;
  /** The fonts' rules for the first paint, which the browser never needs again. */
  readonly fontCss: string;
  /** A public page's whole head. */
  readonly headOf: (path: string, words: PageWords) => Promise<Head>;
}

export const root = createRootRouteWithContext<RouterContext>()({
  // The server gives the shell; in the browser it came with the page and is never asked for again.
  loader: ({ context }) => context.server?.shell as Shell,
  staleTime: Number.POSITIVE_INFINITY,
  // Until the page with a head of its own has come.
  head: ({ loaderData }) => ({ meta: loaderData ? [{ title: loaderData.site.name }] : [] }),
  shellComponent: Document,
});

/** `failed` stands in for a page that could not be fetched or shown. */
interface RouterOptions<Tree extends AnyRoute> {
  readonly routeTree: Tree;
  readonly context: RouterContext;
  readonly failed: ErrorRouteComponent;
  /** The router scrolls, since it leads from one screen to the next. Default: the browser does. */
  readonly scrolls?: boolean;
  /** Marks the inline code of a rendering as the page's own. */
  readonly nonce?: string;
}

/** Makes a router; one for each rendering on the server, one for the life of the page in the browser. */
export function createSiteRouter<Tree extends AnyRoute>(options: RouterOptions<Tree>) {
  const { routeTree, context, failed, scrolls = false, nonce } = options;
  return createRouter({
    routeTree,
    context,
    ...(nonce && { ssr: { nonce } }),
    caseSensitive: false,
    scrollRestoration: scrolls,
    defaultStaleTime: Number.POSITIVE_INFINITY,
    defaultPreload: "intent",
    defaultPendingMs: PENDING_AFTER,
    defaultErrorComponent: failed,
  });
}

/** How long a screen may take before its outline shows, in milliseconds. */
const PENDING_AFTER = 150;
