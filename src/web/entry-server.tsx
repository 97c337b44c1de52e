/** Renders a path to finished HTML: the one door through which the server reaches the web code. */
import {
  createRequestHandler,
  getSsrStatus,
  renderRouterToString,
  RouterServer,
} from "@tanstack/react-router/ssr/server";
import { renderToString } from "react-dom/server";
import { OWNERS_PATHS, ownerRoutes } from "./ownerRoutes.tsx";
import { safePictureUrl } from "../schema/safeUrl.ts";
import type { FirstPicture, FirstPictures } from "./inline/nextPage.ts";
import { createSiteRouter, root, type ServerContext } from "./router.tsx";
import type { ContentSource } from "./shared/content.ts";
import type { InlineCode, Shell } from "./shared/shell.ts";
import { PageFailed } from "./site/PageFailed.tsx";
import { PAGES, type PublicPage } from "./site/pages.ts";
import { portraitSources } from "./site/enquiry/CoachPortrait.tsx";
import type { Sources } from "./site/parts/Photo.tsx";
import { heroSources } from "./site/sections/HeroPicture.tsx";
import { socialHeads } from "./site/social.ts";
import { programWords } from "./words/programWords.ts";
import { wordsFor } from "./words/all.ts";
import type { SiteWords } from "./words/siteWords.ts";
import { comingSoon, formRoute, isNoForm, NOWHERE, nowhere, publicRoutes } from "./siteRoutes.tsx";

/** A rendered path, and the inline code in it that may run. */
interface RenderedPage extends OwnCode {
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
  given: Omit<ServerContext, "source" | "headOf" | "program" | "words"> & {
    readonly drawnFrom: string;
  },
): Promise<RenderedPage> {
  const nonce = crypto.randomUUID();
  const isOwners = OWNERS_PATHS.includes(path);
  const headOf = socialHeads(source, given.shell, given.drawnFrom);
  // Which one a public page needs is seen in its markup: until that is there, the nonce holds its place.
  const program = isOwners ? ownersProgram(given) : nonce;
  const words = wordsFor(given.shell.site.language);
  const server = { ...given, source, headOf, program, words };
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
    // No state is to be put into it.
    html = `<!DOCTYPE html>${renderToString(children)}`;
    return new Response(null, { status: getSsrStatus(router) });
  });
  const status = leadsNowhere ? 404 : response.status;
  if (isOwners) return { status, ...ownCode(await response.text(), nonce) };
  const first = await picturesElsewhere(path, source);
  return { status, ...ownCode(withProgram(html, { ...given, first, nonce, words }), nonce) };
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

/**
 * No router runs on a public page: its state, which is as much code again as all else, is not even written. What
 * that would take is a third of the time of a page with hundreds of dates.
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

interface Given {
  readonly shell: Shell;
  readonly inline: InlineCode;
}

/** What an owner's page runs by itself: it fetches the code at once. */
function ownersProgram({ shell, inline }: Given): string {
  return `const SCRIPT=${literal(shell.assets.ownerScript)};${inline.owner}`;
}

/** The picture that each of the other pages begins with, or a place on it. A page is whole without them. */
async function picturesElsewhere(path: string, source: ContentSource): Promise<FirstPictures> {
  const others = (PAGES as readonly PublicPage[]).filter((page) => page.path !== path);
  try {
    const pictures = await source.pictures();
    const face = safePictureUrl((await source.read("about")).image);
    const found = others.map(async ({ path: other, hero, portraitAt }) => {
      const shown = hero && (await source.read(hero));
      const address = shown && safePictureUrl(shown.backgroundImage);
      return [
        ...(address ? [[other, short(heroSources(address, pictures, shown.mainTitle ?? ""))]] : []),
        ...(face && portraitAt
          ? [[other + portraitAt, short(portraitSources(face, pictures))]]
          : []),
      ];
    });
    return Object.fromEntries((await Promise.all(found)).flat());
  } catch {
    return {};
  }
}

/** Every page carries it in its script: where there are several files, none is the one. */
const short = ({ src, srcSet, sizes }: Sources): FirstPicture =>
  srcSet ? { ...(sizes && { sizes }), srcset: srcSet } : { src };

/** A value as code in a page's script, which no text in it can end. */
const literal = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");

interface Rendering extends Given {
  readonly first: FirstPictures;
  readonly words: SiteWords;
  /** Where the program is to stand; it tells our scripts from what content may hold, too. */
  readonly nonce: string;
}

/** Puts into a public page what it runs by itself: the parts that something on it asks for (inline/parts.ts). */
function withProgram(html: string, { shell, inline, first, nonce, words }: Rendering): string {
  const parts = inline.parts.filter(
    (part) => part.for === null || part.for.some((mark) => html.includes(mark)),
  );
  const said = new Set(parts.flatMap((part) => part.words));
  const given = `const FIRST_PICTURES=${literal(first)},WORDS=${literal(programWords(words, said, shell.site.name))};`;
  const program = given + parts.map(({ code }) => code).join("");
  return html.replace(`>${nonce}</script>`, () => `>${program}</script>`);
}

interface OwnElement {
  readonly name: string;
  /** With its attributes. */
  readonly tag: string;
  readonly text: string;
  /** In the page: where its tag begins, and where what is behind it does. */
  readonly start: number;
  readonly end: number;
}

/** The scripts and styles of a page that carry `nonce`. Looks at these alone, so that it takes as long as the page is long. */
function ownElements(html: string, nonce: string): OwnElement[] {
  const mark = markOf(nonce);
  const found: OwnElement[] = [];
  for (let at = html.indexOf(mark); at !== -1;) {
    const start = html.lastIndexOf("<", at);
    const text = html.indexOf(">", at) + 1;
    const name = /^<(script|style)\b/.exec(html.slice(start, at))?.[1];
    const close = name === undefined ? -1 : html.indexOf(`</${name}>`, text);
    const end = close === -1 ? text : close + `</${name}>`.length;
    if (name !== undefined && close !== -1)
      found.push({ name, tag: html.slice(start, text), text: html.slice(text, close), start, end });
    at = html.indexOf(mark, end);
  }
  return found;
}

const markOf = (nonce: string) => ` nonce="${nonce}"`;

interface OwnCode {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/**
 * Tells the inline code that the page's own components wrote from any that content may have smuggled in:
 * takes out of finished HTML what carries `nonce`, a word that nobody could know before it was drawn,
 * and returns the HTML without it. The page is kept for all visitors, who are given hashes instead.
 */
export function ownCode(html: string, nonce: string): OwnCode & { readonly html: string } {
  const own = ownElements(html, nonce).filter(({ text }) => text !== "");
  const texts = (name: string) => own.filter((each) => each.name === name).map(({ text }) => text);
  return {
    html: html
      .replaceAll(markOf(nonce), "")
      .replace(`<meta property="csp-nonce" content="${nonce}"/>`, ""),
    scripts: texts("script"),
    styles: texts("style"),
  };
}

/** The addresses of the public pages. */
export const PUBLIC_PATHS: readonly string[] = PAGES.map(({ path }) => path);

export { COMING_SOON_PATH } from "./siteRoutes.tsx";
export { OWNERS_PATHS } from "./ownerRoutes.tsx";
export type { ContentSource } from "./shared/content.ts";
export type { InlineCode, Shell, ShellAssets } from "./shared/shell.ts";
export { themeAttributes, themeCss } from "./shared/theme.ts";
export { TONE_WEIGHTS } from "./shared/tone.ts";
