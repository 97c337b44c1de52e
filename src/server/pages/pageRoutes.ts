/** The site's pages over HTTP: cached pages, built files, fonts and the pictures' sizes. */
import { staticPlugin } from "@elysiajs/static";
import { Elysia } from "elysia";
import { join } from "node:path";
import type { NoScriptState } from "../../schema/enquiry/enquiry.ts";
import { entities, publicEntities } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pageOrder.ts";
import { COMING_SOON_PATH, OWNER_PATHS, PUBLIC_PATHS } from "../../web/entry-server.tsx";
import { translateRefusalMessage, getWords } from "../../web/words/allWords.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import { FORM_MEDIA_TYPES, readForm } from "../http/body.ts";
import { respondConditionally } from "../http/conditionalRequests.ts";
import type { ReadyResponses } from "../http/readyResponses.ts";
import { createRefusalPage } from "../http/refusalPage.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { notFound, Refusal } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { createFontStylesheet } from "./fonts.ts";
import { type RenderedPage, PageCache } from "./pageCache.ts";
import { runAtEachChange, findNextChange } from "./pageSchedule.ts";
import { createDateFeeds } from "./dateFeeds.ts";
import { findStoredFormByPath, createPageRenderer, type RenderingContext } from "./pageRenderer.ts";
import type { SharePictureContext } from "./sharePicture.ts";
import { createGeneratedFileLookup } from "./generatedFiles.ts";
import { findPublicPictures } from "./publicContent.ts";
import {
  createBuiltFileLookup,
  IMMUTABLE_CACHE_CONTROL,
  PICTURES_PATH,
  type WebBuild,
} from "./webBuild.ts";

export interface PagesContext extends RenderingContext, SharePictureContext {
  readonly readyResponses: ReadyResponses;
  readonly visitorPlugin: VisitorPlugin;
  /** Handles a form that was posted without scripts. A refusal is part of the returned state, not thrown. */
  readonly handleEnquiryPost: (
    formData: FormData,
    visitor: Visitor,
    page: string,
  ) => Promise<NoScriptState>;
  /** Counts a form that was posted without scripts, before its body is read. Throws a 429. */
  readonly countEnquiryPost: (visitor: Visitor) => void;
  /** Returns the size limit of such a form's body, in bytes. */
  readonly computeMaxEnquiryBytes: (page: string) => number;
  readonly log: Log;
  readonly onStop: (end: () => unknown) => void;
}

/** The paths that always have a page. Forms may have further paths. Any other path shows the not-found page. */
const FIXED_PATHS = new Set([...PUBLIC_PATHS, ...OWNER_PATHS]);
const NOT_FOUND_KEY = "/not-found";
const CONTENT_PATHS: readonly string[] = ["/", COACHING_PATH];

/** The names of entities that pages show. Changes of other entities, such as an enquiry, don't render pages again. */
const PAGE_ENTITY_NAMES = new Set(
  [...publicEntities, entities.site, entities.uploads, entities.letterSettings].map(
    ({ name }) => name,
  ),
);

/** Creates the routes of all GETs outside the API, and of forms that are posted without scripts. */
export async function createPageRoutes(context: PagesContext) {
  const { store, build, readyResponses, log, now } = context;
  const render = createPageRenderer(context);
  const isPage = (path: string) =>
    FIXED_PATHS.has(path) || findStoredFormByPath(store, path) !== undefined;
  const toPageKey = (path: string) => {
    const key = normalizePath(path);
    if (isComingSoon(context, key)) return COMING_SOON_PATH;
    return isPage(key) ? key : NOT_FOUND_KEY;
  };
  const cache = new PageCache({
    render: (key) => render(key),
    hasPage: (key) => toPageKey(key) === key,
    onReady: (key, page) => page.status === 200 && isPage(key) && readyResponses.set(key, page),
    onOutdated: (key) => readyResponses.delete(key),
    onError: (key, error) =>
      log(`pages: rendering ${key} failed (${error instanceof Error ? error.message : "unknown"})`),
  });
  const findBuiltFile = createBuiltFileLookup(build);
  const findGeneratedFile = createGeneratedFileLookup(context);
  const feeds = createDateFeeds({ store, siteUrl: context.siteUrl, now });
  const invalidate = () => {
    feeds.invalidate();
    cache.invalidate();
  };
  const schedule = runAtEachChange({
    now,
    findNextChange: (time) => findNextChange(store, time),
    onChange: invalidate,
  });
  let wasPublic = context.hasOwnerOrContent();
  store.onChange((name) => {
    // The pages of a new site become public when it gets its first owner.
    const isNewlyPublic = !wasPublic && context.hasOwnerOrContent();
    wasPublic ||= isNewlyPublic;
    if (!PAGE_ENTITY_NAMES.has(name) && !isNewlyPublic) return;
    schedule.reschedule();
    invalidate();
  });
  context.onStop(schedule.stop);

  return new Elysia({ name: "pages" })
    .use(createEnquiryPostRoutes(context, render))
    .get("/api/pictures", () => findPublicPictures(store, now(), context.pictureOrigin))
    .get("/fonts/css2", ({ request }) => respondWithStylesheet(build, request))
    .use(await createBundledPictureRoutes(build))
    .get("/*", async ({ request }) => {
      const path = new URL(request.url).pathname;
      if (/^\/api(\/|$)/.test(path)) throw notFound();
      const file = findBuiltFile(path);
      // Built files are immutable, so `readyResponses` serves them after the first request.
      if (file) readyResponses.set(path, file);
      const representation =
        file ??
        (await findGeneratedFile(path)) ??
        (await feeds.findFile(path)) ??
        (await cache.get(toPageKey(path)));
      return respondConditionally(request, representation);
    });
}

/** Whether a path shows the coming-soon page, since the site has neither an owner nor content yet. */
const isComingSoon = ({ siteUrl, hasOwnerOrContent }: PagesContext, key: string): boolean =>
  siteUrl !== null && CONTENT_PATHS.includes(key) && !hasOwnerOrContent();

/** Returns a path in lower case, without extra slashes. */
function normalizePath(path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "");
  return `/${segments.join("/").toLowerCase()}`;
}

/**
 * Serves the bundled pictures. They are compressed already, so no encoding is negotiated. `alwaysStatic` creates one
 * route per picture: with a single route, the plugin would join an unchecked path to its folder.
 */
function createBundledPictureRoutes({ directory }: WebBuild) {
  return staticPlugin({
    assets: join(directory, PICTURES_PATH),
    prefix: PICTURES_PATH,
    headers: { "cache-control": IMMUTABLE_CACHE_CONTROL },
    alwaysStatic: true,
    // The plugin's ETag lacks the required quotes, and immutable files need no ETag.
    etag: false,
    indexHTML: false,
    silent: true,
  });
}

function respondWithStylesheet(build: WebBuild, request: Request): Response {
  const query = new URL(request.url).searchParams;
  const { status, body } = createFontStylesheet(build.fonts, query);
  const type = status === 200 ? "text/css; charset=utf-8" : "text/plain; charset=utf-8";
  return new Response(body, {
    status,
    headers: {
      "content-type": type,
      "cache-control": status === 200 ? "public, max-age=86400" : "no-store",
    },
  });
}

/** Creates the POST routes for forms sent without scripts. They respond with the resulting page, which isn't cached. */
function createEnquiryPostRoutes(
  {
    store,
    visitorPlugin: plugin,
    handleEnquiryPost,
    countEnquiryPost,
    computeMaxEnquiryBytes,
  }: PagesContext,
  render: (key: string, state: NoScriptState) => Promise<RenderedPage>,
) {
  const readWords = () => getWords(store.of(entities.site).read().value.language);
  async function respondToPost(
    page: string,
    request: Request,
    visitor: Visitor,
  ): Promise<Response> {
    try {
      countEnquiryPost(visitor);
      const formData = await readForm(request, computeMaxEnquiryBytes(page), {
        mediaTypes: FORM_MEDIA_TYPES,
      });
      const state = await handleEnquiryPost(formData, visitor, page);
      const { status, html, policy } = await render(page, translateErrors(readWords(), state));
      return new Response(html, {
        // Another status than 200, such as that of an inactive form's page, takes precedence.
        status: status === 200 ? state.status : status,
        headers: {
          "content-type": "text/html; charset=utf-8",
          "cache-control": "no-store",
          "content-security-policy": policy,
          ...(state.retryAfterSeconds && { "retry-after": state.retryAfterSeconds }),
        },
      });
    } catch (error) {
      if (error instanceof Refusal && error.status < 500)
        return createRefusedPostPage(error, readWords());
      throw error;
    }
  }
  return new Elysia({ name: "enquiry-post" })
    .use(plugin)
    .post(COACHING_PATH, ({ request, visitor }) => respondToPost(COACHING_PATH, request, visitor), {
      parse: "none",
    })
    .post(
      "/:page",
      ({ request, visitor }) => {
        const page = normalizePath(new URL(request.url).pathname);
        if (!findStoredFormByPath(store, page)) throw notFound();
        return respondToPost(page, request, visitor);
      },
      { parse: "none" },
    );
}

function translateErrors(words: SiteWords, state: NoScriptState): NoScriptState {
  const errors = Object.entries(state.errors).map(([id, message]) => [
    id,
    translateRefusalMessage(words, message),
  ]);
  const error = state.error === null ? null : translateRefusalMessage(words, state.error);
  return { ...state, error, errors: Object.fromEntries(errors) };
}

/** Returns a page for a post that is refused without a state, for example because its body is too large. */
function createRefusedPostPage(
  { message, status, details }: Refusal,
  translation: SiteWords,
): Response {
  const { title, text } = translation.words.refusal;
  const paragraphs = [Bun.escapeHTML(translateRefusalMessage(translation, message)), text];
  return createRefusalPage(translation, { status, title, paragraphs, headers: details.headers });
}
