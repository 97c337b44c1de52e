/** Renders a page from the store: its shell, content and security policy. */
import { formAt, type NoScriptState } from "../../schema/enquiry/enquiry.ts";
import { endOf } from "../../schema/sections/eventTimes.ts";
import { type Content, entities, type Item } from "../../schema/index.ts";
import { safePictureUrl } from "../../schema/core/safeUrl.ts";
import { FRAME_ORIGINS } from "../../schema/sections/videoAddress.ts";
import { renderPage, type Shell, themeAttributes, themeCss } from "../../web/entry-server.tsx";
import { firstPaintFonts } from "./fonts.ts";
import { type Clock, inZone } from "../shared/clock.ts";
import { storeTimeZone } from "../shared/siteZone.ts";
import type { RenderedPage } from "./pageCache.ts";
import type { Store } from "../storage/store.ts";
import { pictureHosts, publicContent, publicPictures, storeSource } from "./storeSource.ts";
import type { WebBuild } from "./webBuild.ts";

/** The input of a page's rendering, in addition to its path. */
export interface RenderingContext {
  readonly store: Store;
  readonly build: WebBuild;
  /** SITE_URL without a trailing slash, or null. */
  readonly siteUrl: string | null;
  /** "/fonts", or the URL of a font provider. */
  readonly fontProvider: string;
  /** The origin of pictures, if it isn't the site's. */
  readonly pictureOrigin?: string | undefined;
  /** Submissions or backups are stored on another machine, which the privacy policy mentions. Default: no. */
  readonly isDataRemote?: boolean;
  readonly areBackupsRemote?: boolean;
  /** Sanitizes rich text again before it is shown. */
  readonly cleanHtml: (html: string) => string;
  /**
   * The number of days for which visitors' addresses and browsers are stored, for the privacy policy.
   * Default: 30.
   */
  readonly retentionDays?: number;
  /** Default: the system's clock. */
  readonly now?: () => Date;
  /** Whether the site has an owner or content; until then its pages aren't indexed. Default: yes. */
  readonly isBegun?: () => boolean;
}

/** Creates the function that renders a page now, with its enquiry form in the given state. */
export function pageRenderer(
  context: RenderingContext,
): (key: string, enquiryState?: NoScriptState) => Promise<RenderedPage> {
  const { store, siteUrl, fontProvider, cleanHtml, pictureOrigin } = context;
  const now = clockOf(context);
  const fontOrigin = fontOriginOf(fontProvider);
  return async (key, enquiryState) => {
    const source = storeSource({ store, cleanHtml, picturesFrom: pictureOrigin, now });
    const fonts = fontsOf(context);
    const { status, html, scripts, styles } = await renderPage(key, source, {
      shell: shellOf(context, fonts.preloads, key.startsWith("/admin")),
      inline: context.build.inline,
      fontCss: fonts.css,
      enquiryState,
      isClosed: findFormAt(store, key)?.isActive === false,
      drawnFrom: drawnFromOf(store),
    });
    const policy = contentSecurityPolicy({
      scripts,
      styles,
      pictureHosts: [...(pictureOrigin ? [pictureOrigin] : []), ...pictureHosts(store, now())],
      frameOrigins: Object.values(FRAME_ORIGINS).filter((origin) =>
        html.includes(` data-embed="${origin}/`),
      ),
      secure: siteUrl?.startsWith("https:") ?? false,
      ...(fontOrigin && { fontOrigin }),
    });
    return { status, html, policy };
  };
}

/** The form with a page at this path, active or not. */
export const findFormAt = (store: Store, path: string): Item<"forms"> | undefined =>
  formAt(store.of(entities.forms).read().value, path.slice(1));

/** The paths of forms with their own page. */
export const formPaths = (store: Store): string[] => [
  ...new Set(publicContent(store, "forms").flatMap(({ path }) => (path ? `/${path}` : []))),
];

const clockOf =
  ({ now }: RenderingContext): Clock =>
  () =>
    now?.().getTime() ?? Date.now();

/** Changes with the content of the share pictures: messengers cache a picture by its URL. */
function drawnFromOf(store: Store): string {
  const keys = ["styles", "site", "hero", "coachingHero"] as const;
  return Bun.hash(JSON.stringify(keys.map((key) => publicContent(store, key)))).toString(36);
}

/** The origin of a font provider other than this site. */
export const fontOriginOf = (fontProvider: string): string | undefined =>
  fontProvider.startsWith("/") ? undefined : new URL(fontProvider).origin;

/** The part of the site's own fonts that the first paint needs. */
export function fontsOf({
  store,
  build,
  fontProvider,
}: Pick<RenderingContext, "store" | "build" | "fontProvider">) {
  const { headingFont, bodyFont, headingWeight } = publicContent(store, "styles");
  const families = [...new Set([headingFont, bodyFont])];
  const areLocal = fontProvider.startsWith("/");
  return firstPaintFonts(build.fonts, families, areLocal, Number(headingWeight));
}

function shellOf(
  context: RenderingContext,
  fontPreloads: readonly string[],
  isOwners: boolean,
): Shell {
  const { store, build, siteUrl, fontProvider, pictureOrigin } = context;
  const { isDataRemote = false, areBackupsRemote = false } = context;
  const { retentionDays = 30 } = context;
  const now = clockOf(context)();
  const styles: Content<"styles"> = publicContent(store, "styles");
  const zone = storeTimeZone(store);
  return {
    site: store.of(entities.site).read().value,
    styles,
    // The dashboard has its own theme.
    themeCss: isOwners ? "" : themeCss(styles),
    themeAttributes: themeAttributes(styles),
    icon: iconOf(context),
    assets: build.shell,
    address: siteUrl,
    fontProvider,
    fontPreloads: isOwners ? [] : fontPreloads,
    today: inZone(now, zone).toPlainDate().toString(),
    zone,
    elsewhere: {
      pictures: pictureOrigin ?? null,
      data: isDataRemote,
      backups: areBackupsRemote,
    },
    retentionDays,
    ...(context.isBegun?.() === false && { isUnlisted: true }),
    ...(isOwners
      ? { extras: publicContent(store, "extras").on }
      : {
          announcement: publicContent(store, "announcement", { now }),
          over: overAt(store, now),
          formPaths: formPaths(store),
        }),
    hasLetters: store.of(entities.letterSettings).read().value.archive,
  };
}

function overAt(store: Store, now: number): string[] {
  const { value } = store.of(entities.events).read();
  const zone = storeTimeZone(store);
  return value.filter((event) => endOf(event, zone) <= now).map(({ id }) => id);
}

/** The owner's icon, at the origin that serves pictures. */
function iconOf(context: RenderingContext): string | null {
  const { store, pictureOrigin } = context;
  const icon = safePictureUrl(publicContent(store, "sharing").icon) ?? null;
  return publicPictures(store, clockOf(context)(), pictureOrigin)[icon ?? ""]?.at ?? icon;
}

interface PolicyOptions {
  /** The inline scripts of the page, which may run. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly pictureHosts: readonly string[];
  /** The origin of a font provider other than this site. */
  readonly fontOrigin?: string;
  /** The players of the page's videos; default: none. */
  readonly frameOrigins?: readonly string[];
  /** Whether the site is served over https. */
  readonly secure: boolean;
}

/**
 * A page's Content-Security-Policy. Only its own inline scripts and style elements are allowed, by their hashes, so
 * injected ones don't run. Style attributes are allowed because rich text has them, sanitized on the server.
 */
export function contentSecurityPolicy(options: PolicyOptions): string {
  const font = options.fontOrigin ? [options.fontOrigin] : [];
  const directives = [
    ["default-src", "'none'"],
    ["script-src", "'self'", ...hashes(options.scripts)],
    ["style-src", "'self'", ...hashes(options.styles), ...font],
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
    ...(options.secure ? [["upgrade-insecure-requests"]] : []),
  ];
  return directives.map((directive) => directive.join(" ")).join("; ");
}

function hashes(texts: readonly string[]): string[] {
  return [...new Set(texts)].map(
    (text) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`,
  );
}
