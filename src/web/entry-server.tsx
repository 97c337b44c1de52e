/** Renders a path to finished HTML. Besides the site's words (web/words), the server imports no other web code. */
import {
  createRequestHandler,
  getSsrStatus,
  renderRouterToString,
  RouterServer,
} from "@tanstack/react-router/ssr/server";
import { renderToString } from "react-dom/server";
import { OWNERS_PATHS, ownerRoutes } from "./ownerRoutes.tsx";
import { safePictureUrl } from "../schema/core/safeUrl.ts";
import type { FirstPicture, FirstPictures } from "./inline/nextPage.ts";
import { newId } from "./shared/newId.ts";
import { createSiteRouter, root, type ServerContext } from "./router.tsx";
import type { ContentSource } from "./shared/content.ts";
import type { InlineCode, Shell } from "./shared/shell.ts";
import * as site from "./site/PublicDocument.tsx";
import { PageFailed } from "./site/NotFound.tsx";
import { PAGES, type PublicPage } from "./site/pages.ts";
import { portraitSources } from "./site/enquiry/CoachPortrait.tsx";
import type { Sources } from "./site/parts/Photo.tsx";
import { heroSources } from "./site/sections/HeroPicture.tsx";
import { socialHeads } from "./site/social.ts";
import { programWords } from "./words/programWords.ts";
import { wordsFor } from "./words/all.ts";
import type { SiteWords } from "./words/siteWords.ts";
import { comingSoon, formRoute, isNoForm, NOWHERE, nowhere, publicRoutes } from "./siteRoutes.tsx";

/** A rendered path, and the inline code it may run. */
interface RenderedPage extends PageCode {
  readonly status: number;
  readonly html: string;
}

const routeTree = root.addChildren([...publicRoutes, comingSoon, formRoute, nowhere, ownerRoutes]);

/**
 * Renders `path` (lower case, no query) with content from `source`. Rejects when rendering fails.
 */
export async function renderPage(
  path: string,
  source: ContentSource,
  serverContext: Omit<ServerContext, "source" | "headOf" | "program" | "words" | "site"> & {
    readonly drawnFrom: string;
  },
): Promise<RenderedPage> {
  const nonce = newId();
  const isOwners = OWNERS_PATHS.includes(path);
  const headOf = socialHeads(source, serverContext.shell, serverContext.drawnFrom);
  // The code of a public page depends on its markup: until that is rendered, the nonce is a placeholder.
  const program = isOwners ? ownersProgram(serverContext) : nonce;
  const words = wordsFor(serverContext.shell.site.language);
  const server = { ...serverContext, source, headOf, program, words, site };
  const handle = createRequestHandler({
    request: new Request(`http://localhost${path}`),
    createRouter: () => {
      const context = { server, pages: PAGES };
      const options = { routeTree, context, failed: PageFailed, nonce, scrolls: isOwners };
      const router = withoutTime(createSiteRouter(options));
      return isOwners ? router : withoutState(router);
    },
    getRouterManifest: () => ({ routes: {} }),
  });
  let leadsNowhere = false;
  let html = "";
  const response = await handle(async ({ router, responseHeaders }) => {
    leadsNowhere = router.state.matches.some(
      (match) => match.routeId === NOWHERE || isNoForm(match),
    );
    const children = <RouterServer router={router} />;
    if (isOwners) return renderRouterToString({ router, responseHeaders, children });
    // Without router state.
    html = `<!DOCTYPE html>${renderToString(children)}`;
    return new Response(null, { status: getSsrStatus(router) });
  });
  const status = leadsNowhere ? 404 : response.status;
  if (isOwners) return { status, ...ownerCode(await response.text(), nonce) };
  const first = await firstPicturesOfOthers(path, source);
  return {
    status,
    ...ownerCode(withProgram(html, { ...serverContext, first, nonce, words }), nonce),
  };
}

/**
 * Leaves the rendering time out of the page: with it every start and every instance would have its own page, ETag and
 * policy, and returning visitors would download it again.
 */
function withoutTime<Router extends WholeRouter>(router: Router): Router {
  const { load } = router;
  router.load = async (options) => {
    await load(options);
    for (const match of router.stores.matches.get()) match.updatedAt = 0;
  };
  return router;
}

/**
 * No router runs on a public page, so its state, as much code as all the rest, isn't written. Writing it would take a
 * third of the time of a page with hundreds of dates.
 */
function withoutState<Router extends WholeRouter>(router: Router): Router {
  const { load } = router;
  router.load = async (options) => {
    await load(options);
    if (!router.serverSsr) return;
    router.serverSsr.disableHydration();
    router.serverSsr.dehydrate = async () => {};
  };
  return router;
}

type WholeRouter = ReturnType<typeof createSiteRouter<typeof routeTree>>;

declare module "@tanstack/react-router" {
  interface Register {
    router: WholeRouter;
  }
}

interface ProgramInput {
  readonly shell: Shell;
  readonly inline: InlineCode;
}

/** An owner's page loads its code at once. */
function ownersProgram({ shell, inline }: ProgramInput): string {
  return `const SCRIPT=${literal(shell.assets.ownerScript)};${inline.owner}`;
}

/** The first picture of each other page, or of a place on it. Pages also work without them. */
async function firstPicturesOfOthers(path: string, source: ContentSource): Promise<FirstPictures> {
  const others = (PAGES as readonly PublicPage[]).filter((page) => page.path !== path);
  try {
    const pictures = await source.pictures();
    const face = safePictureUrl((await source.read("about")).image);
    const entries = others.map(async ({ path: other, hero, portraitAt }) => {
      const shown = hero && (await source.read(hero));
      const address = shown && safePictureUrl(shown.backgroundImage);
      return [
        ...(address ? [[other, short(heroSources(address, pictures, shown.mainTitle ?? ""))]] : []),
        ...(face && portraitAt
          ? [[other + portraitAt, short(portraitSources(face, pictures))]]
          : []),
      ];
    });
    return Object.fromEntries((await Promise.all(entries)).flat());
  } catch {
    return {};
  }
}

/** Every page includes it in its script: if there are several files, no single one is it. */
const short = ({ src, srcSet, sizes }: Sources): FirstPicture =>
  srcSet ? { ...(sizes && { sizes }), srcset: srcSet } : { src };

/** A value as code in a page's script; escaped so that no text can end it. */
const literal = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");

interface Rendering extends ProgramInput {
  readonly first: FirstPictures;
  readonly words: SiteWords;
  /** A placeholder for the code; also distinguishes our scripts from those content may contain. */
  readonly nonce: string;
}

/** Inserts the code that a public page needs: parts used by something on it (inline/parts.ts). */
function withProgram(html: string, { shell, inline, first, nonce, words }: Rendering): string {
  const parts = inline.parts.filter(
    (part) => part.for === null || part.for.some((mark) => html.includes(mark)),
  );
  const groups = new Set(parts.flatMap((part) => part.words));
  const constants = `const FIRST_PICTURES=${literal(first)},WORDS=${literal(programWords(words, groups, shell.site.name))};`;
  const program = constants + parts.map(({ code }) => code).join("");
  return html.replace(`>${nonce}</script>`, () => `>${program}</script>`);
}

interface InlineElement {
  readonly name: string;
  /** With its attributes. */
  readonly tag: string;
  readonly text: string;
  /** In the page: the start of its tag, and the end of the element. */
  readonly start: number;
  readonly end: number;
}

/** A page's scripts and styles with `nonce`. Looks only at these, so that the time is linear in the page. */
function findInlineElements(html: string, nonce: string): InlineElement[] {
  const mark = markOf(nonce);
  const elements: InlineElement[] = [];
  for (let at = html.indexOf(mark); at !== -1;) {
    const start = html.lastIndexOf("<", at);
    const text = html.indexOf(">", at) + 1;
    const name = /^<(script|style)\b/.exec(html.slice(start, at))?.[1];
    const close = name === undefined ? -1 : html.indexOf(`</${name}>`, text);
    const end = close === -1 ? text : close + `</${name}>`.length;
    if (name !== undefined && close !== -1)
      elements.push({
        name,
        tag: html.slice(start, text),
        text: html.slice(text, close),
        start,
        end,
      });
    at = html.indexOf(mark, end);
  }
  return elements;
}

const markOf = (nonce: string) => ` nonce="${nonce}"`;

interface PageCode {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/**
 * Distinguishes inline code of our own components from any that content may have injected: extracts elements with
 * `nonce`, an unguessable word, from finished HTML, and returns the HTML without it. The page is cached for all
 * visitors, who get hashes instead.
 */
export function ownerCode(html: string, nonce: string): PageCode & { readonly html: string } {
  const inlineElements = findInlineElements(html, nonce).filter(({ text }) => text !== "");
  const texts = (name: string) =>
    inlineElements.filter((each) => each.name === name).map(({ text }) => text);
  return {
    html: html
      .replaceAll(markOf(nonce), "")
      .replace(`<meta property="csp-nonce" content="${nonce}"/>`, ""),
    scripts: texts("script"),
    styles: texts("style"),
  };
}

export const PUBLIC_PATHS: readonly string[] = PAGES.map(({ path }) => path);

export { COMING_SOON_PATH } from "./siteRoutes.tsx";
export { OWNERS_PATHS } from "./ownerRoutes.tsx";
export type { ContentSource } from "./shared/content.ts";
export type { InlineCode, Shell, ShellAssets } from "./shared/shell.ts";
export { themeAttributes, themeCss } from "./shared/theme.ts";
export { TONE_WEIGHTS } from "./shared/tone.ts";
