/** The pages of the site over HTTP: finished bytes, built files, fonts and the pictures' sizes. */
import { Elysia } from "elysia";
import type { PlainEnquiryState } from "../../schema/enquiry.ts";
import { allEntities, entities } from "../../schema/index.ts";
import { PUBLIC_JSON, readForm } from "../http/body.ts";
import { notFound } from "../http/errors.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import type { Store } from "../storage/store.ts";
import { bestEncoding, builtFileServer } from "./builtFile.ts";
import { fontStylesheet } from "./fonts.ts";
import {
  createPageCache,
  everyMidnight,
  type FinishedPage,
  type PageAsRendered,
} from "./pageCache.ts";
import { pageRenderer } from "./pageRenderer.ts";
import { siteFiles } from "./siteFiles.ts";
import { publicPictures } from "./storeSource.ts";
import type { WebBuild } from "./webBuild.ts";

// Answers the enquiry form's plain posts with the page they lead to; such a page is never kept.

/** What the posts need. */
interface EnquiryPostOptions {
  readonly visitor: VisitorPlugin;
  /** Takes one post; a refusal is part of the state, not raised. */
  readonly takeEnquiry: (posted: FormData, visitor: Visitor) => Promise<PlainEnquiryState>;
}

const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** POST /coaching, where the form points before or without scripts; `render` draws the page. */
function enquiryPost(
  { visitor: plugin, takeEnquiry }: EnquiryPostOptions,
  render: (state: PlainEnquiryState) => Promise<PageAsRendered>,
) {
  return new Elysia({ name: "enquiry-post" }).use(plugin).post(
    "/coaching",
    async ({ request, visitor }) => {
      const state = await takeEnquiry(await readForm(request, PUBLIC_JSON, FORM_TYPES), visitor);
      const { html, policy } = await render(state);
      return new Response(html, { status: state.status, headers: headers(policy) });
    },
    { parse: "none" },
  );
}

function headers(policy: string): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policy,
  };
}

/** What the pages need. */
export interface PagesOptions extends EnquiryPostOptions {
  readonly store: Store;
  readonly build: WebBuild;
  /** SITE_URL without a trailing slash, or null. */
  readonly siteUrl: string | null;
  /** "/fonts", or the address of a font provider. */
  readonly fontProvider: string;
  /** Cleans rich text once more before it is shown (security.md, "Script in rich text"). */
  readonly cleanHtml: (html: string) => string;
  /** How long addresses and browsers of visitors are kept, in days; the policy says so. Default 30. */
  readonly retentionDays?: number;
  readonly log: (line: string) => void;
  readonly now?: () => Date;
}

/** The paths that have a page; all others get the not-found page. */
const PATHS = new Set([
  "/",
  "/coaching",
  "/privacy-policy",
  "/admin",
  "/admin/login",
  "/admin/setup",
  "/admin/dashboard",
]);
const NOT_FOUND = "/not-found";

/** What pages are made of. A visitor's enquiry or a login must not make the server draw them anew. */
const SHOWN = new Set(
  allEntities
    .filter(({ shape, readers }) => shape !== "records" && readers === "everyone")
    .concat(entities.site, entities.uploads)
    .map(({ name }) => name),
);

/** The plugin that answers every GET that is not a call, and the enquiry form's plain posts. */
export function pages(options: PagesOptions) {
  const { store, build, log } = options;
  const render = pageRenderer(options);
  const cache = createPageCache(
    (key) => render(key),
    (key, error) =>
      log(`could not render ${key}: ${error instanceof Error ? error.message : "unknown"}`),
  );
  const files = builtFileServer(build.files);
  const small = siteFiles(store, options.siteUrl);
  store.onChange((name) => SHOWN.has(name) && cache.invalidate());
  everyMidnight(() => cache.invalidate());

  return new Elysia({ name: "pages" })
    .use(enquiryPost(options, (state) => render("/coaching", state)))
    .get("/api/pictures", () => publicPictures(store))
    .get("/fonts/css2", ({ request }) => styleSheet(build, request))
    .get("/*", async ({ request }) => {
      const path = new URL(request.url).pathname;
      if (/^\/api(\/|$)/.test(path)) throw notFound();
      const file = (await files(path, request)) ?? (await small(path, request));
      return file ?? answer(await cache.get(pageKey(path)), request);
    });
}

/** The page of a path: in any case, with or without a trailing slash (design.md section 7). */
function pageKey(path: string): string {
  let end = path.length;
  // No pattern: one that looks for slashes at the end goes over a run of them once for each of them.
  while (end > 1 && path[end - 1] === "/") end--;
  const key = path.slice(0, end).toLowerCase();
  return PATHS.has(key) ? key : NOT_FOUND;
}

function answer(page: FinishedPage, request: Request): Response {
  const headers: Record<string, string> = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": page.policy,
    etag: page.etag,
    vary: "accept-encoding",
  };
  if (page.status === 200 && request.headers.get("if-none-match") === page.etag) {
    return new Response(null, { status: 304, headers });
  }
  const encoding = bestEncoding(request, page);
  if (encoding !== "identity") headers["content-encoding"] = encoding;
  return new Response(page[encoding], { status: page.status, headers });
}

function styleSheet(build: WebBuild, request: Request): Response {
  const query = new URL(request.url).searchParams;
  const { status, body } = fontStylesheet(build.fonts, query);
  const type = status === 200 ? "text/css; charset=utf-8" : "text/plain; charset=utf-8";
  return new Response(body, {
    status,
    headers: {
      "content-type": type,
      "cache-control": status === 200 ? "public, max-age=86400" : "no-store",
    },
  });
}
