/** The root of all routes, and the router. Each entry file passes its own routes. */
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRouter,
  type ErrorRouteComponent,
} from "@tanstack/react-router";
import type { NoScriptState } from "../schema/enquiry/enquiry.ts";
import { Document } from "./Document.tsx";
import type { ContentSource } from "./shared/content.ts";
import type { InlineCode, PageContext } from "./shared/pageContext.ts";
import type { PageMetadata } from "./site/pageMetadata.ts";
import type { DocumentHead } from "./site/unlistedHead.ts";
import type { PublicPage } from "./site/pages.ts";
import type { SiteWords } from "./words/siteWords.ts";

export interface RouterContext {
  /** The pages that the bar and the footer link to. */
  readonly pages: readonly PublicPage[];
  readonly server?: ServerContext;
}

/** The server's input to a page, in addition to its content. */
export interface ServerContext {
  /** The result of posting the enquiry form without scripts; undefined if it wasn't posted. */
  readonly noScriptState?: NoScriptState | undefined;
  /** True if the path belongs to a form that isn't active. */
  readonly isFormClosed?: boolean;
  readonly source: ContentSource;
  readonly pageContext: PageContext;
  /** The elements around public pages, which browsers never render. */
  readonly publicDocument: typeof import("./site/PublicDocument.tsx");
  readonly inline: InlineCode;
  readonly siteWords: SiteWords;
  /** The page's script (inline/inlineScripts.ts, preloadDashboard.ts), with the URLs of its code. */
  readonly inlineScript?: string | undefined;
  /** The font rules for the first paint. They are only in the HTML, not in the data that the browser gets. */
  readonly fontCss: string;
  readonly createHead: (path: string, metadata: PageMetadata) => Promise<DocumentHead>;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  // The server provides the page context. The browser gets it with the page, and never requests it.
  loader: ({ context }) => context.server?.pageContext as PageContext,
  staleTime: Number.POSITIVE_INFINITY,
  // This head is used until a page with its own head is loaded.
  head: ({ loaderData }) => ({ meta: loaderData ? [{ title: loaderData.site.name }] : [] }),
  shellComponent: Document,
});

interface RouterOptions<Tree extends AnyRoute> {
  readonly routeTree: Tree;
  readonly context: RouterContext;
  readonly errorComponent: ErrorRouteComponent;
  /** Whether the router restores scroll positions between screens. Default: the browser does. */
  readonly shouldManageScroll?: boolean;
  /** A random word that marks the inline code of our components (`extractComponentCode`). */
  readonly nonce?: string;
}

/** Creates a router. The server creates one for each rendering, the browser one for each loaded page. */
export function createSiteRouter<Tree extends AnyRoute>(options: RouterOptions<Tree>) {
  const { routeTree, context, errorComponent, shouldManageScroll = false, nonce } = options;
  return createRouter({
    routeTree,
    context,
    ...(nonce && { ssr: { nonce } }),
    caseSensitive: false,
    scrollRestoration: shouldManageScroll,
    defaultStaleTime: Number.POSITIVE_INFINITY,
    defaultPreload: "intent",
    defaultPendingMs: PENDING_DELAY_MS,
    defaultErrorComponent: errorComponent,
  });
}

/** The time that a screen may load before its outline is shown, in milliseconds. */
const PENDING_DELAY_MS = 150;
