/** Renders a path to finished HTML: the one door through which the server reaches the web code. */
import {
  createRequestHandler,
  renderRouterToString,
  RouterServer,
} from "@tanstack/react-router/ssr/server";
import { OWNERS_PATHS, ownerRoutes } from "./ownerRoutes.tsx";
import { createSiteRouter, root, type ServerContext } from "./router.tsx";
import type { ContentSource } from "./shared/content.ts";
import type { InlineCode, Shell } from "./shared/shell.ts";
import { PageFailed } from "./site/PageFailed.tsx";
import { PAGES } from "./site/pages.ts";
import { socialHeads } from "./site/social.ts";
import { NOWHERE, nowhere, publicRoutes } from "./siteRoutes.tsx";

/** A rendered path, and the inline code in it that may run. */
interface RenderedPage extends OwnCode {
  readonly status: number;
  readonly html: string;
}

const routeTree = root.addChildren([...publicRoutes, nowhere, ownerRoutes]);

/**
 * Renders `path` (lower case, no query) with content from `source`. Rejects when rendering fails.
 */
export async function renderPage(
  path: string,
  source: ContentSource,
  given: Omit<ServerContext, "headOf" | "program"> & { readonly drawnFrom: string },
): Promise<RenderedPage> {
  const nonce = crypto.randomUUID();
  const isOwners = OWNERS_PATHS.includes(path);
  const headOf = socialHeads(source, given.shell, given.drawnFrom);
  const server = { ...given, headOf, program: programOf(given, path, isOwners) };
  const handle = createRequestHandler({
    request: new Request(`http://localhost${path}`),
    createRouter: () => {
      const context = { source, server, pages: PAGES };
      return withoutTime(createSiteRouter({ routeTree, context, failed: PageFailed, nonce }));
    },
    getRouterManifest: () => ({ routes: {} }),
  });
  let leadsNowhere = false;
  const response = await handle(({ router, responseHeaders }) => {
    leadsNowhere = router.state.matches.some(({ routeId }) => routeId === NOWHERE);
    return renderRouterToString({
      router,
      responseHeaders,
      children: <RouterServer router={router} />,
    });
  });
  const status = leadsNowhere ? 404 : response.status;
  const html = await response.text();
  return { status, ...ownCode(isOwners ? html : withDormantState(html, nonce), nonce) };
}

/**
 * Leaves the moment of rendering out of the page: with it every start and every instance would have a
 * page, an ETag and a policy of its own, and who comes back would download it again.
 */
function withoutTime<Router extends WholeRouter>(router: Router): Router {
  const { load } = router;
  router.load = async (options) => {
    await load(options);
    for (const match of router.stores.matches.get()) match.updatedAt = 0;
  };
  return router;
}

type WholeRouter = ReturnType<typeof createSiteRouter<typeof routeTree>>;

declare module "@tanstack/react-router" {
  interface Register {
    router: WholeRouter;
  }
}

/** What a page runs by itself; it fetches the code when that is needed: the owner's at once. */
function programOf(
  { shell, inline }: { shell: Shell; inline: InlineCode },
  path: string,
  isOwners: boolean,
) {
  const { script, ownerScript, chunks } = shell.assets;
  if (isOwners) return `const SCRIPT=${JSON.stringify(ownerScript)};${inline.owner}`;
  const addresses = JSON.stringify([script, chunks[path]].filter(Boolean));
  return `const ADDRESSES=${addresses};${inline.page}`;
}

/**
 * What the router's state in the browser is made from stands in a public page as text: it is as much code
 * again as all else, and only a page that comes to life runs it (inline/wake.ts). A page without anything that
 * could do so is sent without it. `nonce` tells it from what content may hold.
 */
function withDormantState(html: string, nonce: string): string {
  const state = new RegExp(
    `<script(?=[^>]* nonce="${nonce}")([^>]*?) data-tsr-stream-part([^>]*>)([\\s\\S]*?</script>)`,
    "g",
  );
  const wakes = html.includes(" data-wakes=");
  return html.replace(state, (_, before, after, code) =>
    wakes ? `<script${before} type="text/plain" data-state${after}${code}` : "",
  );
}

interface OwnCode {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

const ELEMENT = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi;

/**
 * Tells the inline code that the page's own components wrote from any that content may have smuggled in:
 * takes out of finished HTML what carries `nonce`, a word that nobody could know before it was drawn,
 * and returns the HTML without it. The page is kept for all visitors, who are given hashes instead.
 */
export function ownCode(html: string, nonce: string): OwnCode & { readonly html: string } {
  const mark = ` nonce="${nonce}"`;
  const own = [...html.matchAll(ELEMENT)]
    .filter(([, , attributes, text]) => attributes!.includes(mark) && text !== "")
    .map(([, name, , text]) => ({ name: name!.toLowerCase(), text: text! }));
  const texts = (name: string) => own.filter((each) => each.name === name).map(({ text }) => text);
  return {
    html: html.replaceAll(mark, "").replace(`<meta property="csp-nonce" content="${nonce}"/>`, ""),
    scripts: texts("script"),
    styles: texts("style"),
  };
}

/** The addresses of the public pages. */
export const PUBLIC_PATHS: readonly string[] = PAGES.map(({ path }) => path);

export { OWNERS_PATHS } from "./ownerRoutes.tsx";
export type { ContentSource } from "./shared/content.ts";
export type { InlineCode, Shell, ShellAssets } from "./shared/shell.ts";
export { themeAttributes, themeCss } from "./shared/theme.ts";
