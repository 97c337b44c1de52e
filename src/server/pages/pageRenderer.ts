/** Renders a page from the store: its context, content and security policy. */
import { findFormByPath, type NoScriptState } from "../../schema/enquiry/enquiry.ts";
import { computeEventEnd } from "../../schema/sections/eventTimes.ts";
import { type Content, entities, type Item } from "../../schema/index.ts";
import { toSafePictureUrl } from "../../schema/core/safeUrl.ts";
import { FRAME_ORIGINS } from "../../schema/sections/videoAddress.ts";
import {
  renderPage,
  type PageContext,
  createThemeAttributes,
  createThemeCss,
} from "../../web/entry-server.tsx";
import { createFirstPaintFonts } from "./fonts.ts";
import { type Clock, toZonedTime } from "../shared/clock.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import type { RenderedPage } from "./pageCache.ts";
import type { Store } from "../storage/store.ts";
import {
  findPictureHosts,
  readPublicContent,
  findPublicPictures,
  createContentSource,
} from "./publicContent.ts";
import type { WebBuild } from "./webBuild.ts";

export interface RenderingContext {
  readonly store: Store;
  readonly build: WebBuild;
  /** SITE_URL without a trailing slash, or null. */
  readonly siteUrl: string | null;
  /** "/fonts", or the URL of a font provider. */
  readonly fontProvider: string;
  /** The origin that serves pictures; undefined if it is the site's own. */
  readonly pictureOrigin?: string | undefined;
  /** Whether submissions or backups are stored on another machine, which the privacy policy mentions. */
  readonly isDataRemote: boolean;
  readonly areBackupsRemote: boolean;
  /** Sanitizes rich text again before it is shown. */
  readonly cleanHtml: (html: string) => string;
  /** The number of days for which visitors' addresses and browsers are stored, for the privacy policy. */
  readonly retentionDays: number;
  readonly now: Clock;
  /** Whether the site has an owner or content; until then its pages aren't indexed. */
  readonly hasOwnerOrContent: () => boolean;
}

/** Returns a function that renders a page. If a form was sent without scripts, the page shows the given state. */
export function createPageRenderer(
  context: RenderingContext,
): (key: string, enquiryState?: NoScriptState) => Promise<RenderedPage> {
  const { store, siteUrl, fontProvider, cleanHtml, pictureOrigin, now } = context;
  const fontOrigin = getExternalFontOrigin(fontProvider);
  return async (pageKey, enquiryState) => {
    const source = createContentSource({ store, cleanHtml, pictureOrigin, now });
    const fonts = findFirstPaintFonts(context);
    const { status, html, scripts, styles } = await renderPage(pageKey, source, {
      pageContext: createPageContext(context, fonts.preloads, pageKey.startsWith("/admin")),
      inline: context.build.inline,
      fontCss: fonts.css,
      noScriptState: enquiryState,
      isFormClosed: findStoredFormByPath(store, pageKey)?.isActive === false,
      sharePictureFingerprint: computeSharePictureFingerprint(store),
    });
    const policy = createContentSecurityPolicy({
      scripts,
      styles,
      pictureHosts: [...(pictureOrigin ? [pictureOrigin] : []), ...findPictureHosts(store, now())],
      frameOrigins: Object.values(FRAME_ORIGINS).filter((origin) =>
        html.includes(` data-embed="${origin}/`),
      ),
      isHttps: siteUrl?.startsWith("https:") ?? false,
      ...(fontOrigin && { fontOrigin }),
    });
    return { status, html, policy };
  };
}

/** Finds the form whose page has this path, even if the form isn't active. */
export const findStoredFormByPath = (store: Store, path: string): Item<"forms"> | undefined =>
  findFormByPath(store.of(entities.forms).read().value, path.slice(1));

/** Returns the paths of the forms that have a page of their own. */
export const findFormPaths = (store: Store): string[] => [
  ...new Set(readPublicContent(store, "forms").flatMap(({ path }) => (path ? `/${path}` : []))),
];

/** Returns a hash of all content that share pictures show. It is in their URLs, since messengers cache them by URL. */
function computeSharePictureFingerprint(store: Store): string {
  const keys = ["styles", "site", "hero", "coachingHero"] as const;
  return Bun.hash(JSON.stringify(keys.map((key) => readPublicContent(store, key)))).toString(36);
}

/** Returns the origin of an external font provider; undefined if the site serves the fonts. */
export const getExternalFontOrigin = (fontProvider: string): string | undefined =>
  fontProvider.startsWith("/") ? undefined : new URL(fontProvider).origin;

export function findFirstPaintFonts({
  store,
  build,
  fontProvider,
}: Pick<RenderingContext, "store" | "build" | "fontProvider">) {
  const { headingFont, bodyFont, headingWeight } = readPublicContent(store, "styles");
  const families = [...new Set([headingFont, bodyFont])];
  const areLocal = fontProvider.startsWith("/");
  return createFirstPaintFonts(build.fonts, families, areLocal, Number(headingWeight));
}

function createPageContext(
  context: RenderingContext,
  fontPreloads: readonly string[],
  isOwnerPage: boolean,
): PageContext {
  const { store, build, siteUrl, fontProvider, pictureOrigin } = context;
  const now = context.now();
  const styles: Content<"styles"> = readPublicContent(store, "styles");
  const zone = getSiteTimeZone(store);
  return {
    site: store.of(entities.site).read().value,
    styles,
    // The look's theme isn't used in the dashboard, which has its own theme.
    themeCss: isOwnerPage ? "" : createThemeCss(styles),
    themeAttributes: createThemeAttributes(styles),
    icon: findIconUrl(context),
    assets: build.shell,
    siteUrl,
    fontProvider,
    fontPreloads: isOwnerPage ? [] : fontPreloads,
    today: toZonedTime(now, zone).toPlainDate().toString(),
    zone,
    externalServices: {
      pictureOrigin: pictureOrigin ?? null,
      hasDatabase: context.isDataRemote,
      hasBackups: context.areBackupsRemote,
    },
    retentionDays: context.retentionDays,
    ...(!context.hasOwnerOrContent() && { isUnlisted: true }),
    ...(isOwnerPage
      ? { extras: readPublicContent(store, "extras").on }
      : {
          announcement: readPublicContent(store, "announcement", { now }),
          pastEventIds: findPastEventIds(store, now),
          formPaths: findFormPaths(store),
        }),
    hasLetters: store.of(entities.letterSettings).read().value.archive,
  };
}

function findPastEventIds(store: Store, now: number): string[] {
  const { value } = store.of(entities.events).read();
  const zone = getSiteTimeZone(store);
  return value.filter((event) => computeEventEnd(event, zone) <= now).map(({ id }) => id);
}

/** Returns the URL of the owner's icon, at the origin that serves pictures. */
function findIconUrl({ store, pictureOrigin, now }: RenderingContext): string | null {
  const icon = toSafePictureUrl(readPublicContent(store, "sharing").icon) ?? null;
  return findPublicPictures(store, now(), pictureOrigin)[icon ?? ""]?.at ?? icon;
}

interface PolicyOptions {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly pictureHosts: readonly string[];
  /** The origin of an external font provider; undefined if the site serves the fonts. */
  readonly fontOrigin?: string;
  /** The origins of the players of the page's videos. */
  readonly frameOrigins?: readonly string[];
  readonly isHttps: boolean;
}

/**
 * Creates a page's Content-Security-Policy. Inline scripts and style elements are allowed only by their hashes, so
 * injected code doesn't run. Style attributes are allowed, since rich text has them. The server sanitizes rich text.
 */
export function createContentSecurityPolicy(options: PolicyOptions): string {
  const fontOrigins = options.fontOrigin ? [options.fontOrigin] : [];
  const directives = [
    ["default-src", "'none'"],
    ["script-src", "'self'", ...createCspHashes(options.scripts)],
    ["style-src", "'self'", ...createCspHashes(options.styles), ...fontOrigins],
    ["style-src-attr", "'unsafe-inline'"],
    ["img-src", "'self'", "data:", "blob:", ...options.pictureHosts],
    // A provider's style sheet may load font files from any host.
    ["font-src", "'self'", ...(options.fontOrigin ? ["https:"] : [])],
    ["connect-src", "'self'"],
    ...(options.frameOrigins?.length ? [["frame-src", ...options.frameOrigins]] : []),
    ["manifest-src", "'self'"],
    ["form-action", "'self'"],
    ["base-uri", "'none'"],
    ["frame-ancestors", "'none'"],
    ...(options.isHttps ? [["upgrade-insecure-requests"]] : []),
  ];
  return directives.map((directive) => directive.join(" ")).join("; ");
}

function createCspHashes(texts: readonly string[]): string[] {
  return [...new Set(texts)].map(
    (text) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`,
  );
}
