/** The small files that browsers and search engines request, generated from the site's name and colors. */
import { type Content, entities } from "../../schema/index.ts";
import { PUBLIC_PATHS } from "../../web/entry-server.tsx";
import { formPaths } from "./pageRenderer.ts";
import { encodeText, BROTLI_LEVEL_CACHED, type Representation } from "../http/conditional.ts";
import type { Store } from "../storage/store.ts";
import { faviconSvg, iconPicture, icoOf, squareOf } from "./icons.ts";
import { type SharePictureContext, sharePictures } from "./sharePicture.ts";
import { publicContent } from "./storeSource.ts";
import type { WebBuild } from "./webBuild.ts";
import { mailto } from "../../schema/core/mailto.ts";

type Styles = Content<"styles">;

/** A generated file; text is compressed. */
interface SiteFile {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

type Making = SiteFile | Promise<SiteFile>;
/** Generators by path. */
type Makers = ReadonlyMap<string, () => Making>;
type Made = Representation | Promise<Representation>;

interface SiteFilesContext extends SharePictureContext {
  /** SITE_URL without a trailing slash, or null. */
  readonly siteUrl: string | null;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

const SOURCES = new Set(
  ["site", "styles", "hero", "coachingHero", "sharing", "uploads", "letterSettings", "forms"].map(
    (key) => entities[key as "site"].name,
  ),
);

/** The files by path, generated once per state of the content; undefined for an unknown path. */
export function siteFiles(context: SiteFilesContext): (path: string) => Made | undefined {
  const { store, siteUrl: address, now = () => new Date() } = context;
  const makers = makersOf(store, address, context.build);
  const draw = sharePictures(context);
  const iconFile = iconFiles(context, makers);
  const made = new Map<string, Made>();
  store.onChange((name) => SOURCES.has(name as "site") && made.clear());
  const make = (path: string): Making | undefined =>
    draw(path)?.then((body) => ({ type: "image/jpeg", body })) ??
    iconFile(path) ??
    makers.get(path)?.();
  const later = (path: string): Made | undefined => {
    const file = make(path);
    if (!(file instanceof Promise)) return file && toRepresentation(file);
    const making = file.then(toRepresentation).catch(async (error: unknown) => {
      // A failed one is generated again on the next request.
      if (made.get(path) === making) made.delete(path);
      const drawn = await makers.get(path)?.();
      if (!drawn) throw error;
      return toRepresentation(drawn);
    });
    return making;
  };
  return (path) => {
    if (path === SECURITY_TXT) return securityTxt(store, address, now());
    const cached = made.get(path) ?? later(path);
    if (cached) made.set(path, cached);
    return cached;
  };
}

function toRepresentation({ type, body }: SiteFile): Representation {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const headers = { "content-type": type, "cache-control": "no-cache" };
  const etag = `"${Bun.hash(bytes).toString(36)}"`;
  return typeof body === "string"
    ? { headers, etag, ...encodeText(bytes, BROTLI_LEVEL_CACHED) }
    : { headers, etag, bytes: { identity: () => bytes } };
}

const SECURITY_TXT = "/.well-known/security.txt";

/** The contact for security reports (RFC 9116); none without a contact address. */
function securityTxt(store: Store, address: string | null, now: Date): Representation | undefined {
  const { contactEmail } = publicContent(store, "site");
  if (!contactEmail) return undefined;
  // At least half a year ahead, and constant within a month.
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 7));
  const lines = [
    `Contact: ${mailto(contactEmail)}`,
    `Expires: ${expires.toISOString()}`,
    ...(address ? [`Canonical: ${address}${SECURITY_TXT}`] : []),
    "Preferred-Languages: en",
    "",
  ];
  return toRepresentation({ type: "text/plain; charset=utf-8", body: lines.join("\n") });
}

/** Icons that browsers request on their own, by path: their sides in pixels. */
const ICON_SIDES: ReadonlyMap<string, number> = new Map([
  ["/favicon.ico", 32],
  ["/apple-touch-icon.png", 180],
  ["/icon-192.png", 192],
  ["/icon-512.png", 512],
]);

/** The icons from the owner's picture, or drawn ones if its file is missing. Rejects if it can't be read. */
function iconFiles({ store, pictureFile }: SiteFilesContext, makers: Makers) {
  return (path: string): Promise<SiteFile> | undefined => {
    const [side, drawn] = [ICON_SIDES.get(path), makers.get(path)];
    const { icon } = publicContent(store, "sharing");
    if (!side || !drawn || !icon?.startsWith(UPLOADS_PATH)) return undefined;
    const square = async () => {
      const file = await pictureFile(icon.slice(UPLOADS_PATH.length));
      if (!file) return drawn();
      const bytes = await squareOf(await Bun.file(file.path).bytes(), side);
      return path.endsWith(".ico")
        ? { type: "image/x-icon", body: icoOf(bytes, side) }
        : { type: "image/png", body: bytes };
    };
    return square();
  };
}

const UPLOADS_PATH = "/uploads/";

function makersOf(store: Store, address: string | null, build: Pick<WebBuild, "worker">): Makers {
  const styles = () => publicContent(store, "styles");
  const name = () => publicContent(store, "site").name;
  const xml = "application/xml; charset=utf-8";
  const icon = async (side: number) => ({
    type: "image/png",
    body: await iconPicture(side, styles()),
  });
  const makers: Record<string, () => Making> = {
    "/robots.txt": () => ({ type: "text/plain; charset=utf-8", body: robotsOf(address) }),
    "/sitemap.xml": () => ({ type: xml, body: sitemapOf(store, address) }),
    "/manifest.webmanifest": () => ({
      type: "application/manifest+json",
      body: manifestOf(name(), styles(), publicContent(store, "sharing").icon !== null),
    }),
    "/admin/manifest.webmanifest": () => ({
      type: "application/manifest+json",
      body: dashboardManifest(name()),
    }),
    // The scope of a worker follows from its path.
    "/admin/worker.js": () => ({ type: "text/javascript; charset=utf-8", body: build.worker }),
    "/favicon.svg": () => ({ type: "image/svg+xml", body: faviconSvg(name(), styles()) }),
    "/favicon.ico": async () => ({
      type: "image/x-icon",
      body: icoOf(await iconPicture(32, styles()), 32),
    }),
    "/apple-touch-icon.png": () => icon(180),
    "/icon-192.png": () => icon(192),
    "/icon-512.png": () => icon(512),
  };
  return new Map(Object.entries(makers));
}

/** Everything but the dashboard and the API may be crawled. */
function robotsOf(address: string | null): string {
  const rules = ["User-agent: *", "Disallow: /admin", "Disallow: /api/", "Allow: /"];
  return [...rules, ...(address ? ["", `Sitemap: ${address}/sitemap.xml`] : []), ""].join("\n");
}

/** The public pages; none without a public address, since a sitemap needs absolute URLs. */
function sitemapOf(store: Store, address: string | null): string {
  const { archive } = store.of(entities.letterSettings).read().value;
  const paths = address
    ? [...PUBLIC_PATHS, ...formPaths(store), ...(archive ? ["/letters"] : [])]
    : [];
  const urls = paths.map((path) => `<url><loc>${Bun.escapeHTML(address + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>\n`;
}

/** Lets a phone add the site to its home screen. */
function manifestOf(name: string, styles: Styles, hasIcon: boolean): string {
  return JSON.stringify({
    name,
    short_name: name.length > 12 ? name.split(/\s/)[0] : name,
    start_url: "/",
    display: "minimal-ui",
    background_color: styles.backgroundColor,
    theme_color: styles.backgroundColor,
    icons: [
      ...(hasIcon ? [] : [{ src: "/favicon.svg", type: "image/svg+xml", sizes: "any" }]),
      { src: "/icon-512.png", type: "image/png", sizes: "512x512" },
    ],
  });
}

/** Lets a phone or a computer install the dashboard as an app. */
const dashboardManifest = (name: string): string =>
  JSON.stringify({
    id: "/admin/dashboard",
    name: `${name}: dashboard`,
    short_name: "Dashboard",
    start_url: "/admin/dashboard",
    scope: "/admin/",
    display: "standalone",
    background_color: "#0A0B0D",
    theme_color: "#0A0B0D",
    icons: [192, 512].map((side) => ({
      src: `/icon-${side}.png`,
      type: "image/png",
      sizes: `${side}x${side}`,
    })),
  });
