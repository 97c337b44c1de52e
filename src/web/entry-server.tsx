/** Renders a path to finished HTML. Of the web code, the server imports only this and the site's words (web/words). */
import {
  createRequestHandler,
  getSsrStatus,
  renderRouterToString,
  RouterServer,
} from "@tanstack/react-router/ssr/server";
import { renderToString } from "react-dom/server";
import { OWNER_PATHS, ownerRoutes } from "./ownerRoutes.tsx";
import { toSafePictureUrl } from "../schema/core/safeUrl.ts";
import type { FirstPicture, FirstPictures } from "./inline/nextPage.ts";
import { createId } from "./shared/createId.ts";
import { createSiteRouter, rootRoute, type ServerContext } from "./router.tsx";
import type { ContentSource } from "./shared/content.ts";
import * as publicDocument from "./site/PublicDocument.tsx";
import { PageFailed } from "./site/NotFound.tsx";
import { PUBLIC_PAGES, type PublicPage } from "./site/pages.ts";
import { createPortraitSources } from "./site/enquiry/EnquirySection.tsx";
import type { ImageSources } from "./site/parts/Photo.tsx";
import { createHeroSources } from "./site/sections/HeroPicture.tsx";
import { createHeadBuilder } from "./site/pageHead.ts";
import { createScriptWords } from "./words/scriptWords.ts";
import { getWords } from "./words/allWords.ts";
import type { SiteWords } from "./words/siteWords.ts";
import {
  comingSoonRoute,
  formRoute,
  isMissingForm,
  notFoundRoute,
  publicRoutes,
} from "./siteRoutes.tsx";

interface RenderedPage extends SplitPage {
  readonly status: number;
}

/** The server's input to a page, without the parts that this file creates. */
type RenderInput = Omit<
  ServerContext,
  "source" | "createHead" | "inlineScript" | "siteWords" | "publicDocument"
>;

const routeTree = rootRoute.addChildren([
  ...publicRoutes,
  comingSoonRoute,
  formRoute,
  notFoundRoute,
  ownerRoutes,
]);

/** Renders `path` (lower case, no query) with content from `source`. Rejects when rendering fails. */
export async function renderPage(
  path: string,
  source: ContentSource,
  serverContext: RenderInput & { readonly sharePictureFingerprint: string },
): Promise<RenderedPage> {
  const nonce = createId();
  const isOwnerPage = OWNER_PATHS.includes(path);
  const createHead = createHeadBuilder(
    source,
    serverContext.pageContext,
    serverContext.sharePictureFingerprint,
  );
  // The script of a public page depends on its HTML. Until the page is rendered, the nonce is the script's placeholder.
  const inlineScript = isOwnerPage ? createOwnerScript(serverContext) : nonce;
  const siteWords = getWords(serverContext.pageContext.site.language);
  const server = { ...serverContext, source, createHead, inlineScript, siteWords, publicDocument };
  const handleRequest = createRequestHandler({
    request: new Request(`http://localhost${path}`),
    createRouter: () => {
      const context = { server, pages: PUBLIC_PAGES };
      const options = {
        routeTree,
        context,
        errorComponent: PageFailed,
        nonce,
        shouldManageScroll: isOwnerPage,
      };
      return removeRenderingState(createSiteRouter(options), isOwnerPage);
    },
    getRouterManifest: () => ({ routes: {} }),
  });
  let isNotFound = false;
  let html = "";
  const response = await handleRequest(async ({ router, responseHeaders }) => {
    isNotFound = router.state.matches.some(
      (match) => match.routeId === notFoundRoute.id || isMissingForm(match),
    );
    const children = <RouterServer router={router} />;
    if (isOwnerPage) return renderRouterToString({ router, responseHeaders, children });
    // `renderToString` writes no router state into the page: public pages don't need one.
    html = `<!DOCTYPE html>${renderToString(children)}`;
    return new Response(null, { status: getSsrStatus(router) });
  });
  const status = isNotFound ? 404 : response.status;
  if (isOwnerPage) return { status, ...extractComponentCode(await response.text(), nonce) };
  const firstPictures = await findFirstPicturesOfOtherPages(path, source);
  return {
    status,
    ...extractComponentCode(
      insertScripts(html, { ...serverContext, firstPictures, nonce, words: siteWords }),
      nonce,
    ),
  };
}

/**
 * Removes the rendering time from the page. Otherwise its ETag would differ at each start and between instances, and
 * returning visitors would download it again. Also leaves out a public page's router state, which no router reads:
 * creating it takes a third of the rendering time of a page with hundreds of dates.
 */
function removeRenderingState<Router extends FullRouter>(
  router: Router,
  isOwnerPage: boolean,
): Router {
  const { load } = router;
  router.load = async (options) => {
    await load(options);
    for (const match of router.stores.matches.get()) match.updatedAt = 0;
    if (isOwnerPage || !router.serverSsr) return;
    router.serverSsr.disableHydration();
    router.serverSsr.dehydrate = async () => {};
  };
  return router;
}

type FullRouter = ReturnType<typeof createSiteRouter<typeof routeTree>>;

declare module "@tanstack/react-router" {
  interface Register {
    router: FullRouter;
  }
}

function createOwnerScript({ pageContext, inline }: RenderInput): string {
  return `const SCRIPT=${toScriptLiteral(pageContext.assets.ownerScript)};${inline.ownerScript}`;
}

/** Finds the first picture of each other page, and the picture at its portrait anchor, for preloading. */
async function findFirstPicturesOfOtherPages(
  path: string,
  source: ContentSource,
): Promise<FirstPictures> {
  const otherPages = (PUBLIC_PAGES as readonly PublicPage[]).filter((page) => page.path !== path);
  try {
    const pictures = await source.readPictures();
    const portraitUrl = toSafePictureUrl((await source.read("about")).image);
    const entries = otherPages.map(async ({ path: otherPath, hero, portraitAnchor }) => {
      const heroContent = hero && (await source.read(hero));
      const heroUrl = heroContent && toSafePictureUrl(heroContent.backgroundImage);
      const heroSources =
        heroUrl && createHeroSources(heroUrl, pictures, heroContent.mainTitle ?? "");
      const portraitSources =
        portraitUrl && portraitAnchor && createPortraitSources(portraitUrl, pictures);
      return [
        ...(heroSources ? [[otherPath, toFirstPicture(heroSources)]] : []),
        ...(portraitSources ? [[otherPath + portraitAnchor, toFirstPicture(portraitSources)]] : []),
      ];
    });
    return Object.fromEntries((await Promise.all(entries)).flat());
  } catch {
    return {};
  }
}

/** Returns a picture's sources as short as possible, since every page includes them in its script. */
const toFirstPicture = ({ src, srcSet, sizes }: ImageSources): FirstPicture =>
  srcSet ? { ...(sizes && { sizes }), srcset: srcSet } : { src };

/** Writes a value as code of an inline script, escaped so that no text can end the script. */
const toScriptLiteral = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");

interface ScriptInput extends RenderInput {
  readonly firstPictures: FirstPictures;
  readonly words: SiteWords;
  /** The script's placeholder in the HTML. It also distinguishes our scripts from scripts that content may contain. */
  readonly nonce: string;
}

function insertScripts(
  html: string,
  { pageContext, inline, firstPictures, nonce, words }: ScriptInput,
): string {
  const scripts = inline.parts.filter(
    (script) =>
      script.attributes === null || script.attributes.some((attribute) => html.includes(attribute)),
  );
  const groups = new Set(scripts.flatMap((script) => script.wordGroups));
  const constants = `const FIRST_PICTURES=${toScriptLiteral(firstPictures)},WORDS=${toScriptLiteral(createScriptWords(words, groups, pageContext.site.name))};`;
  const inlineScript = constants + scripts.map(({ code }) => code).join("");
  return html.replace(`>${nonce}</script>`, () => `>${inlineScript}</script>`);
}

interface InlineElement {
  readonly name: string;
  readonly text: string;
}

/** Finds the scripts and styles of a page that have `nonce`, in time linear in the page's length. */
function findInlineElements(html: string, nonce: string): InlineElement[] {
  const nonceAttribute = createNonceAttribute(nonce);
  const elements: InlineElement[] = [];
  for (let nonceIndex = html.indexOf(nonceAttribute); nonceIndex !== -1;) {
    const start = html.lastIndexOf("<", nonceIndex);
    const textStart = html.indexOf(">", nonceIndex) + 1;
    const name = /^<(script|style)\b/.exec(html.slice(start, nonceIndex))?.[1];
    const endTagIndex = name === undefined ? -1 : html.indexOf(`</${name}>`, textStart);
    const end = endTagIndex === -1 ? textStart : endTagIndex + `</${name}>`.length;
    if (name !== undefined && endTagIndex !== -1)
      elements.push({ name, text: html.slice(textStart, endTagIndex) });
    nonceIndex = html.indexOf(nonceAttribute, end);
  }
  return elements;
}

const createNonceAttribute = (nonce: string) => ` nonce="${nonce}"`;

interface SplitPage {
  readonly html: string;
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/**
 * Extracts the scripts and styles with `nonce`, an unguessable word, and returns the HTML without it. Only our
 * components have the nonce, so injected code isn't extracted. Cached pages need hashes in their policy instead of a
 * nonce.
 */
export function extractComponentCode(html: string, nonce: string): SplitPage {
  const inlineElements = findInlineElements(html, nonce).filter(({ text }) => text !== "");
  const findTexts = (name: string) =>
    inlineElements.filter((each) => each.name === name).map(({ text }) => text);
  return {
    html: html
      .replaceAll(createNonceAttribute(nonce), "")
      .replace(`<meta property="csp-nonce" content="${nonce}"/>`, ""),
    scripts: findTexts("script"),
    styles: findTexts("style"),
  };
}

export const PUBLIC_PATHS: readonly string[] = PUBLIC_PAGES.map(({ path }) => path);

export { COMING_SOON_PATH } from "./siteRoutes.tsx";
export { OWNER_PATHS } from "./ownerRoutes.tsx";
export type { ContentSource } from "./shared/content.ts";
export type { InlineCode, PageContext, PageAssets } from "./shared/pageContext.ts";
export { createThemeAttributes, createThemeCss } from "./shared/theme.ts";
export { TONE_WEIGHTS } from "./shared/toneFilter.ts";
