/** Renders a page from the store: the shell around it, its content, its policy. */
import { formAt, type PlainEnquiryState } from "../../schema/enquiry.ts";
import { endOf } from "../../schema/eventTimes.ts";
import { type Content, entities, type Item } from "../../schema/index.ts";
import { safePictureUrl } from "../../schema/safeUrl.ts";
import { FRAME_ORIGINS } from "../../schema/videoAddress.ts";
import { renderPage, type Shell, themeAttributes, themeCss } from "../../web/entry-server.tsx";
import { firstPaintFonts } from "./fonts.ts";
import { type Clock, inZone } from "../shared/clock.ts";
import { zoneOf } from "../shared/siteZone.ts";
import type { PageAsRendered } from "./pageCache.ts";
import { pageDependencies } from "./pageDependencies.ts";
import type { Store } from "../storage/store.ts";
import { pictureHosts, publicContent, publicPictures, storeSource } from "./storeSource.ts";
import type { WebBuild } from "./webBuild.ts";

/** What a page is rendered from, besides the address. */
export interface RenderingContext {
  readonly store: Store;
  readonly build: WebBuild;
  /** SITE_URL without a trailing slash, or null. */
  readonly siteUrl: string | null;
  /** "/fonts", or the address of a font provider. */
  readonly fontProvider: string;
  /** The origin that sends pictures, where another than the site does. */
  readonly picturesFrom?: string | undefined;
  /** What visitors send is stored on another machine, backups are sent to one; the policy says so. Default: no. */
  readonly isDataElsewhere?: boolean;
  readonly areBackupsElsewhere?: boolean;
  /** Cleans rich text once more before it is shown. */
  readonly cleanHtml: (html: string) => string;
  /** How long addresses and browsers of visitors are kept, in days; the policy says so. Default: 30. */
  readonly retentionDays?: number;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** Makes the function that renders one page as it is now, its enquiry form where a post has led. */
export function pageRenderer(
  context: RenderingContext,
): (key: string, enquiryState?: PlainEnquiryState) => Promise<PageAsRendered> {
  const { store, siteUrl, fontProvider, cleanHtml, picturesFrom } = context;
  const now = clockOf(context);
  const fontOrigin = fontProvider.startsWith("/")
    ? {}
    : { fontOrigin: new URL(fontProvider).origin };
  return async (key, enquiryState) => {
    const { read, areUnchanged } = pageDependencies();
    const source = storeSource({ store, cleanHtml, picturesFrom, now, read });
    const fonts = read(() => fontsOf(context));
    const shell = read(() => shellOf(context, fonts.preloads, key.startsWith("/admin")));
    const { inline } = context.build;
    const drawnFrom = read(() => drawnFromOf(store));
    const hosts = read(() => pictureHosts(store, now()));
    const isClosed = read(() => formOf(store, key)?.isActive === false);
    const given = { shell, inline, fontCss: fonts.css, enquiryState, isClosed, drawnFrom };
    const { status, html, scripts, styles } = await renderPage(key, source, given);
    const policy = contentSecurityPolicy({
      scripts,
      styles,
      pictureHosts: [...(picturesFrom ? [picturesFrom] : []), ...hosts],
      frameOrigins: Object.values(FRAME_ORIGINS).filter((origin) =>
        html.includes(` data-embed="${origin}/`),
      ),
      secure: siteUrl?.startsWith("https:") ?? false,
      ...fontOrigin,
    });
    return { status, html, policy, isStill: areUnchanged };
  };
}

/** The form whose own page has this path, active or not. */
export const formOf = (store: Store, path: string): Item<"forms"> | undefined =>
  formAt(store.of(entities.forms).read().value, path.slice(1));

/** The paths of the forms that have a page of their own. */
export const formPaths = (store: Store): string[] => [
  ...new Set(publicContent(store, "forms").flatMap(({ path }) => (path ? `/${path}` : []))),
];

const clockOf =
  ({ now }: RenderingContext): Clock =>
  () =>
    now?.().getTime() ?? Date.now();

/** Changes with what the pictures of shared links are drawn from: messengers keep one by its address. */
function drawnFromOf(store: Store): string {
  const keys = ["styles", "site", "hero", "coachingHero"] as const;
  return Bun.hash(JSON.stringify(keys.map((key) => publicContent(store, key)))).toString(36);
}

function fontsOf({ store, build, fontProvider }: RenderingContext) {
  const { headingFont, bodyFont, headingWeight } = publicContent(store, "styles");
  const families = [...new Set([headingFont, bodyFont])];
  const own = fontProvider.startsWith("/");
  return firstPaintFonts(build.fonts, families, own, Number(headingWeight));
}

function shellOf(
  context: RenderingContext,
  fontPreloads: readonly string[],
  isOwners: boolean,
): Shell {
  const { store, build, siteUrl, fontProvider, picturesFrom } = context;
  const { isDataElsewhere = false, areBackupsElsewhere = false } = context;
  const { retentionDays = 30 } = context;
  const now = clockOf(context)();
  const styles: Content<"styles"> = publicContent(store, "styles");
  const zone = zoneOf(store);
  return {
    site: store.of(entities.site).read().value,
    styles,
    // The dashboard has a theme of its own.
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
      pictures: picturesFrom ?? null,
      data: isDataElsewhere,
      backups: areBackupsElsewhere,
    },
    retentionDays,
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

/** The dates that are over. */
function overAt(store: Store, now: number): string[] {
  const { value } = store.of(entities.events).read();
  const zone = zoneOf(store);
  return value.filter((event) => knownEndOf(event, zone) <= now).map(({ id }) => id);
}

/** By item, which is never changed: to find an instant takes microseconds, and each page asks of hundreds. */
const ends = new WeakMap<Item<"events">, { readonly zone: string; readonly end: number }>();

function knownEndOf(event: Item<"events">, zone: string): number {
  const known = ends.get(event);
  if (known?.zone === zone) return known.end;
  const end = endOf(event, zone);
  ends.set(event, { zone, end });
  return end;
}

/** The owner's own, from where pictures come. */
function iconOf(context: RenderingContext): string | null {
  const { store, picturesFrom } = context;
  const icon = safePictureUrl(publicContent(store, "sharing").icon) ?? null;
  return publicPictures(store, clockOf(context)(), picturesFrom)[icon ?? ""]?.at ?? icon;
}

interface PolicyOptions {
  /** The inline code that may run, as it stands in the page. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Hosts that the owner's content takes pictures from. */
  readonly pictureHosts: readonly string[];
  /** The origin of a font provider other than this site. */
  readonly fontOrigin?: string;
  /** Where the videos on the page play; default: it has none. */
  readonly frameOrigins?: readonly string[];
  /** True when the site is reached by https. */
  readonly secure: boolean;
}

/**
 * The Content-Security-Policy of a page. Its own inline scripts and style elements are named by their
 * hashes, and only those: what content smuggles in stays dead. Style attributes are allowed since rich
 * text carries them, cleaned on the server.
 */
export function contentSecurityPolicy(options: PolicyOptions): string {
  const font = options.fontOrigin ? [options.fontOrigin] : [];
  const directives = [
    ["default-src", "'none'"],
    ["script-src", "'self'", ...hashes(options.scripts)],
    ["style-src", "'self'", ...hashes(options.styles), ...font],
    ["style-src-attr", "'unsafe-inline'"],
    ["img-src", "'self'", "data:", "blob:", ...options.pictureHosts],
    // A provider's style sheet names font files on a host of its own choice.
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
