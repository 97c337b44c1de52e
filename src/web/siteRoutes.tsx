/** The routes of public pages, and what they load. Server only: no router runs on a public page. */
import { createRoute, type RouteComponent, useLoaderData } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { root } from "./router.tsx";
import { assertDefined } from "../schema/core/assertDefined.ts";
import type { EntityKey } from "../schema/index.ts";
import type { Pictures } from "../schema/pictures/pictures.ts";
import type { ContentSource, LoadedPage, PageContent } from "./shared/content.ts";
import { defaultsOf } from "./shared/defaults.ts";
import { withFormHeading, withHeadings } from "./shared/headings.ts";
import type { Shell } from "./shared/shell.ts";
import { loadEnquiry } from "./site/enquiry/loadEnquiry.ts";
import { type FormAtPath, FormPage } from "./site/FormPage.tsx";
import { formMetadata, headOf, type Named } from "./site/head.ts";
import { unlistedHead } from "./site/unlistedHead.ts";
import { COMING_SOON, ComingSoon, NotFound } from "./site/NotFound.tsx";
import { wordsFor } from "./words/all.ts";
import { fill } from "./words/fill.ts";
import { type PageModule, PAGES, type PublicPage } from "./site/pages.ts";

function publicRoute<const Path extends string>(page: PublicPage & { readonly path: Path }) {
  return createRoute({
    getParentRoute: () => root,
    path: page.path as Path,
    loader: async ({ context, parentMatchPromise }): Promise<LoadedPage | undefined> => {
      const { READS, readMore } = page.module;
      if (!READS) return undefined;
      const { source, enquiryState } = assertDefined(context.server, "server's part");
      const { site, styles } = (await parentMatchPromise).loaderData as Shell;
      const [{ content, pictures }, more] = await Promise.all([
        loadPage(source, READS, site.name),
        readMore?.(source, enquiryState),
      ]);
      const { words } = wordsFor(site.language);
      const enquiry = more && { enquiry: withFormHeading(more.enquiry, styles, words) };
      return { content: withHeadings(content, styles, words), pictures, ...more, ...enquiry };
    },
    head: ({ loaderData, matches, match }) => {
      const metadata = page.head(loaderData?.content ?? {}, loadedName(matches));
      return match.context.server?.headOf(page.path, metadata) ?? headOf(metadata);
    },
    component: withContent(page.module),
  });
}

/**
 * Reads all parts in parallel; failed ones get the defaults of a site of this name, and lists are left out
 * (specification, section 8.2).
 */
export async function loadPage(
  source: ContentSource,
  keys: readonly EntityKey[],
  siteName: string,
): Promise<LoadedPage> {
  const [all, ...parts] = await Promise.allSettled([
    source.pictures(),
    ...keys.map(async (key) => [key, await source.read(key)] as const),
  ]);
  const read = parts.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  const content = { ...defaultsOf(keys, siteName), ...Object.fromEntries(read) } as PageContent;
  return { content, pictures: all.status === "fulfilled" ? usedPictures(content, all.value) : {} };
}

function usedPictures(content: PageContent, pictures: Pictures): Pictures {
  const text = JSON.stringify(content);
  return Object.fromEntries(Object.entries(pictures).filter(([url]) => text.includes(url)));
}

function withContent({ Page }: PageModule): RouteComponent {
  const PageComponent = Page as ComponentType<object>;
  return function PageWithContent() {
    return <PageComponent {...useLoaderData({ strict: false })} />;
  };
}

/** The routes of a list of pages, in order, each with its own path in the types of links. */
type RoutesOf<Pages extends readonly PublicPage[]> = {
  -readonly [At in keyof Pages]: ReturnType<typeof publicRoute<Pages[At]["path"]>>;
};

/** The path at which a site without an owner is rendered. */
export const COMING_SOON_PATH = "/coming-soon";

export const publicRoutes = PAGES.map((page) => publicRoute(page)) as RoutesOf<typeof PAGES>;

/** Shown instead of the home and coaching pages of a site with an address, until it has an owner. */
export const comingSoon = createRoute({
  getParentRoute: () => root,
  path: COMING_SOON_PATH,
  head: () => unlistedHead(COMING_SOON),
  component: ComingSoon,
});

/** A form's own page, after all others; without a form at the path it is not found. */
export const formRoute = createRoute({
  getParentRoute: () => root,
  path: "$page",
  loader: async ({ context, params, parentMatchPromise }): Promise<FormAtPath> => {
    const {
      source,
      enquiryState,
      isClosed = false,
    } = assertDefined(context.server, "server's part");
    const { site, styles } = (await parentMatchPromise).loaderData as Shell;
    const loaded = await loadEnquiry(source, params.page);
    const enquiry = withFormHeading(loaded, styles, wordsFor(site.language).words);
    // The portrait beside the form.
    const page = await loadPage(source, enquiry ? ["about"] : [], site.name);
    return { path: `/${params.page}`, enquiry, isClosed, plain: enquiryState ?? null, ...page };
  },
  head: ({ loaderData, matches, match }) => {
    if (!loaderData?.enquiry) return unlistedHead(notFoundTitle(loadedName(matches)));
    const metadata = formMetadata(loadedName(matches), loaderData.enquiry);
    return match.context.server?.headOf(loaderData.path, metadata) ?? headOf(metadata);
  },
  component: function FormAt() {
    return <FormPage {...formRoute.useLoaderData()} />;
  },
});

/** Whether it found no form. */
export const isNoForm = (match: { readonly routeId: string; readonly loaderData?: unknown }) =>
  match.routeId === "/$page" && !(match.loaderData as FormAtPath | undefined)?.enquiry;

/** Every other path, also below pages. */
export const nowhere = createRoute({
  getParentRoute: () => root,
  path: "$",
  head: ({ matches }) => unlistedHead(notFoundTitle(loadedName(matches))),
  component: NotFound,
});

/** The route id of unknown paths. */
export const NOWHERE = "/$";

/** The site of these pages, from the shell loaded by the first match. */
function loadedName(matches: readonly { loaderData?: unknown }[]): Named {
  const { site } = assertDefined(matches[0], "match of the page around").loaderData as Shell;
  return { name: site.name, words: wordsFor(site.language).words };
}

const notFoundTitle = ({ name, words }: Named) => fill(words.notFound.head, { name });
