/** The routes of the public pages, the same on the server and in the browser. */
import { createRoute, lazyRouteComponent, useLoaderData } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { root } from "./router.tsx";
import { type LoadedPage, loadPage } from "./shared/content.ts";
import type { Shell } from "./shared/shell.ts";
import { headOf, unlistedHead } from "./site/head.ts";
import { NotFound } from "./site/NotFound.tsx";
import { type PageModule, PAGES, type PublicPage } from "./site/pages.ts";

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

export const publicRoutes = PAGES.map((page) => publicRoute(page)) as unknown as RoutesOf<
  typeof PAGES
>;

/** Every other address, below the pages too. */
export const nowhere = createRoute({
  getParentRoute: () => root,
  path: "$",
  head: ({ matches }) => unlistedHead(`Page Not Found | ${shellOf(matches).site.name}`),
  component: NotFound,
});

/** The id of the route of addresses that lead nowhere. */
export const NOWHERE = "/$";

function shellOf(matches: readonly { loaderData?: unknown }[]): Shell {
  return matches[0]!.loaderData as Shell;
}
