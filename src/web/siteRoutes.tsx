/** The routes of public pages, and what they load. Server only: no router runs on a public page. */
import { createRoute, type RouteComponent, useLoaderData } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { rootRoute, type RouterContext } from "./router.tsx";
import { assertDefined } from "../schema/core/assertDefined.ts";
import type { EntityKey } from "../schema/index.ts";
import type { Pictures } from "../schema/pictures/pictures.ts";
import type { ContentSource, LoadedPage, PageContent } from "./shared/content.ts";
import { createDefaultContent } from "./shared/defaults.ts";
import { applyFormHeadingCase, applyHeadingCase } from "./shared/headings.ts";
import { loadEnquiry } from "./site/enquiry/loadEnquiry.ts";
import { type FormPageContent, FormPage } from "./site/FormPage.tsx";
import { createFormMetadata, type SiteNameAndWords } from "./site/pageMetadata.ts";
import { createUnlistedHead } from "./site/unlistedHead.ts";
import { COMING_SOON, ComingSoon, NotFound } from "./site/NotFound.tsx";
import { fillPlaceholders } from "./words/placeholders.ts";
import { type PageModule, PUBLIC_PAGES, type PublicPage } from "./site/pages.ts";

function createPublicRoute<const Path extends string>(page: PublicPage & { readonly path: Path }) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path: page.path as Path,
    loader: async ({ context }): Promise<LoadedPage | undefined> => {
      const { ENTITY_KEYS, readEnquiry } = page.module;
      if (!ENTITY_KEYS) return undefined;
      const { source, noScriptState, pageContext, siteWords } = getServer(context);
      const { site, styles } = pageContext;
      const [{ content, pictures }, formProps] = await Promise.all([
        loadPage(source, ENTITY_KEYS, site.name),
        readEnquiry?.(source, noScriptState),
      ]);
      const enquiry = formProps && {
        enquiry: applyFormHeadingCase(formProps.enquiry, styles, siteWords.words),
      };
      return {
        content: applyHeadingCase(content, styles, siteWords.words),
        pictures,
        ...formProps,
        ...enquiry,
      };
    },
    head: ({ loaderData, match: { context } }) => {
      const metadata = page.createMetadata(loaderData?.content ?? {}, getSiteNameAndWords(context));
      return getServer(context).createHead(page.path, metadata);
    },
    component: createRouteComponent(page.module),
  });
}

/** Reads a page's content. Singletons that fail to load get defaults; lists stay empty (specification, section 8.2). */
export async function loadPage(
  source: ContentSource,
  keys: readonly EntityKey[],
  siteName: string,
): Promise<LoadedPage> {
  const [picturesRead, ...reads] = await Promise.allSettled([
    source.readPictures(),
    ...keys.map(async (key) => [key, await source.read(key)] as const),
  ]);
  const entries = reads.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  const content = {
    ...createDefaultContent(keys, siteName),
    ...Object.fromEntries(entries),
  } as PageContent;
  return {
    content,
    pictures:
      picturesRead.status === "fulfilled" ? pickUsedPictures(content, picturesRead.value) : {},
  };
}

function pickUsedPictures(content: PageContent, pictures: Pictures): Pictures {
  const text = JSON.stringify(content);
  return Object.fromEntries(Object.entries(pictures).filter(([url]) => text.includes(url)));
}

function createRouteComponent({ Page }: PageModule): RouteComponent {
  const PageComponent = Page as ComponentType<object>;
  return function PageWithContent() {
    return <PageComponent {...useLoaderData({ strict: false })} />;
  };
}

/** The routes of a list of pages, in order, with their paths, so that links are type-checked. */
type RoutesOf<Pages extends readonly PublicPage[]> = {
  -readonly [Index in keyof Pages]: ReturnType<typeof createPublicRoute<Pages[Index]["path"]>>;
};

/** The path at which the page of a site without an owner is rendered. */
export const COMING_SOON_PATH = "/coming-soon";

export const publicRoutes = PUBLIC_PAGES.map((page) => createPublicRoute(page)) as RoutesOf<
  typeof PUBLIC_PAGES
>;

/** The page that replaces home and coaching page of a site with a public address until it has an owner. */
export const comingSoonRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: COMING_SOON_PATH,
  head: () => createUnlistedHead(COMING_SOON),
  component: ComingSoon,
});

/** The route of forms with their own page, tried after all other pages. A path without a form gets the 404 page. */
export const formRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "$page",
  loader: async ({ context, params }): Promise<FormPageContent> => {
    const { source, noScriptState, isFormClosed, pageContext, siteWords } = getServer(context);
    const { site, styles } = pageContext;
    const loaded = await loadEnquiry(source, params.page);
    const enquiry = applyFormHeadingCase(loaded, styles, siteWords.words);
    // About has the portrait that is shown beside the form.
    const page = await loadPage(source, enquiry ? ["about"] : [], site.name);
    return {
      path: `/${params.page}`,
      enquiry,
      isClosed: isFormClosed ?? false,
      noScriptState: noScriptState ?? null,
      ...page,
    };
  },
  head: ({ loaderData, match: { context } }) => {
    const nameAndWords = getSiteNameAndWords(context);
    if (!loaderData?.enquiry) return createNotFoundHead(nameAndWords);
    const metadata = createFormMetadata(nameAndWords, loaderData.enquiry);
    return getServer(context).createHead(loaderData.path, metadata);
  },
  component: function RoutedForm() {
    return <FormPage {...formRoute.useLoaderData()} />;
  },
});

export const isMissingForm = (match: { readonly routeId: string; readonly loaderData?: unknown }) =>
  match.routeId === formRoute.id && !(match.loaderData as FormPageContent | undefined)?.enquiry;

/** The route of every other path, including paths below pages. */
export const notFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "$",
  head: ({ match: { context } }) => createNotFoundHead(getSiteNameAndWords(context)),
  component: NotFound,
});

const getServer = ({ server }: RouterContext) => assertDefined(server, "server's part");

function getSiteNameAndWords(context: RouterContext): SiteNameAndWords {
  const { pageContext, siteWords } = getServer(context);
  return { name: pageContext.site.name, words: siteWords.words };
}

const createNotFoundHead = ({ name, words }: SiteNameAndWords) =>
  createUnlistedHead(fillPlaceholders(words.notFound.documentTitle, { name }));
