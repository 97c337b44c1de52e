/** The small files that browsers and search engines request, generated from the site's name and colors. */
import { type Content, entities } from "../../schema/index.ts";
import { PUBLIC_PATHS } from "../../web/entry-server.tsx";
import { findFormPaths } from "./pageRenderer.ts";
import {
  encodeText,
  BROTLI_LEVEL_CACHED,
  type Representation,
} from "../http/conditionalRequests.ts";
import type { Clock } from "../shared/clock.ts";
import type { Store } from "../storage/store.ts";
import { createFaviconSvg, drawIcon, createIco, cropToSquare } from "./icons.ts";
import { type SharePictureContext, drawSharePicture } from "./sharePicture.ts";
import { readPublicContent } from "./publicContent.ts";
import type { WebBuild } from "./webBuild.ts";
import { createMailtoUrl } from "../../schema/core/mailto.ts";

type Styles = Content<"styles">;

/** A generated file. A `body` of text is compressed. */
interface GeneratedFile {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

type PendingFile = GeneratedFile | Promise<GeneratedFile>;
type FileGenerators = ReadonlyMap<string, () => PendingFile>;
type PendingRepresentation = Representation | Promise<Representation>;

interface GeneratedFilesContext extends SharePictureContext {
  /** SITE_URL without a trailing slash, or null. */
  readonly siteUrl: string | null;
  readonly now: Clock;
}

const SOURCE_ENTITY_NAMES = new Set(
  ["site", "styles", "hero", "coachingHero", "sharing", "uploads", "letterSettings", "forms"].map(
    (key) => entities[key as "site"].name,
  ),
);

/** Returns a look-up of files by path. A file is generated on request, and again after its content changed. */
export function createGeneratedFileLookup(
  context: GeneratedFilesContext,
): (path: string) => PendingRepresentation | undefined {
  const { store, siteUrl, now } = context;
  const generators = createFileGenerators(store, siteUrl, context.build);
  const representations = new Map<string, PendingRepresentation>();
  store.onChange((name) => SOURCE_ENTITY_NAMES.has(name as "site") && representations.clear());
  const createFile = (path: string): PendingFile | undefined =>
    drawSharePicture(context, path)?.then((body) => ({ type: "image/jpeg", body })) ??
    createOwnerIcon(context, path) ??
    generators.get(path)?.();
  const generateFile = (path: string): PendingRepresentation | undefined => {
    const file = createFile(path);
    if (!(file instanceof Promise)) return file && toRepresentation(file);
    const pending = file.then(toRepresentation).catch(async (error: unknown) => {
      // After a failure the file is generated again on the next request.
      if (representations.get(path) === pending) representations.delete(path);
      const fallbackFile = await generators.get(path)?.();
      if (!fallbackFile) throw error;
      return toRepresentation(fallbackFile);
    });
    return pending;
  };
  return (path) => {
    if (path === SECURITY_TXT_PATH) return createSecurityTxt(store, siteUrl, new Date(now()));
    const cached = representations.get(path) ?? generateFile(path);
    if (cached) representations.set(path, cached);
    return cached;
  };
}

export function toRepresentation(
  { type, body }: GeneratedFile,
  otherHeaders: Readonly<Record<string, string>> = {},
): Representation {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const headers = { "content-type": type, "cache-control": "no-cache", ...otherHeaders };
  const etag = `"${Bun.hash(bytes).toString(36)}"`;
  return typeof body === "string"
    ? { headers, etag, ...encodeText(bytes, BROTLI_LEVEL_CACHED) }
    : { headers, etag, bytes: { identity: () => bytes } };
}

const SECURITY_TXT_PATH = "/.well-known/security.txt";

/** Creates the contact file for security reports (RFC 9116); undefined without a contact address. */
function createSecurityTxt(
  store: Store,
  siteUrl: string | null,
  now: Date,
): Representation | undefined {
  const { contactEmail } = readPublicContent(store, "site");
  if (!contactEmail) return undefined;
  // The date is at least half a year ahead. It is the same for a whole month, so the file seldom changes.
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 7));
  const lines = [
    `Contact: ${createMailtoUrl(contactEmail)}`,
    `Expires: ${expires.toISOString()}`,
    ...(siteUrl ? [`Canonical: ${siteUrl}${SECURITY_TXT_PATH}`] : []),
    "Preferred-Languages: en",
    "",
  ];
  return toRepresentation({ type: "text/plain; charset=utf-8", body: lines.join("\n") });
}

/** The icons that browsers request even if no page links them: their paths, and their sides in pixels. */
const ICON_SIDES_PX: ReadonlyMap<string, number> = new Map([
  ["/favicon.ico", 32],
  ["/apple-touch-icon.png", 180],
  ["/icon-192.png", 192],
  ["/icon-512.png", 512],
]);

/** Creates an icon from the owner's picture. If its file is missing, draws an icon; rejects if it can't be read. */
function createOwnerIcon(
  { store, findPictureFile }: GeneratedFilesContext,
  path: string,
): Promise<GeneratedFile> | undefined {
  const side = ICON_SIDES_PX.get(path);
  const { icon } = readPublicContent(store, "sharing");
  if (!side || !icon?.startsWith(UPLOADS_PATH)) return undefined;
  return findPictureFile(icon.slice(UPLOADS_PATH.length)).then(async (file) =>
    file
      ? toIconFile(path, side, await cropToSquare(await Bun.file(file.path).bytes(), side))
      : createDrawnIcon(store, path, side),
  );
}

const UPLOADS_PATH = "/uploads/";

const createDrawnIcon = async (store: Store, path: string, side: number) =>
  toIconFile(path, side, await drawIcon(side, readPublicContent(store, "styles")));

const toIconFile = (path: string, side: number, png: Uint8Array<ArrayBuffer>): GeneratedFile =>
  path.endsWith(".ico")
    ? { type: "image/x-icon", body: createIco(png, side) }
    : { type: "image/png", body: png };

function createFileGenerators(
  store: Store,
  siteUrl: string | null,
  build: Pick<WebBuild, "worker">,
): FileGenerators {
  const readStyles = () => readPublicContent(store, "styles");
  const readName = () => readPublicContent(store, "site").name;
  const xmlType = "application/xml; charset=utf-8";
  const generators: Record<string, () => PendingFile> = {
    "/robots.txt": () => ({ type: "text/plain; charset=utf-8", body: createRobotsTxt(siteUrl) }),
    "/sitemap.xml": () => ({ type: xmlType, body: createSitemap(store, siteUrl) }),
    "/manifest.webmanifest": () => ({
      type: "application/manifest+json",
      body: createSiteManifest(
        readName(),
        readStyles(),
        readPublicContent(store, "sharing").icon !== null,
      ),
    }),
    "/admin/manifest.webmanifest": () => ({
      type: "application/manifest+json",
      body: createDashboardManifest(readName()),
    }),
    // A service worker controls only pages below its own path, here /admin/.
    "/admin/worker.js": () => ({ type: "text/javascript; charset=utf-8", body: build.worker }),
    "/favicon.svg": () => ({
      type: "image/svg+xml",
      body: createFaviconSvg(readName(), readStyles()),
    }),
  };
  for (const [path, side] of ICON_SIDES_PX)
    generators[path] = () => createDrawnIcon(store, path, side);
  return new Map(Object.entries(generators));
}

function createRobotsTxt(siteUrl: string | null): string {
  const rules = ["User-agent: *", "Disallow: /admin", "Disallow: /api/", "Allow: /"];
  return [...rules, ...(siteUrl ? ["", `Sitemap: ${siteUrl}/sitemap.xml`] : []), ""].join("\n");
}

/** Creates the sitemap of the public pages. Its URLs must be absolute, so it is empty without a public address. */
function createSitemap(store: Store, siteUrl: string | null): string {
  const { archive } = store.of(entities.letterSettings).read().value;
  const paths = siteUrl
    ? [...PUBLIC_PATHS, ...findFormPaths(store), ...(archive ? ["/letters"] : [])]
    : [];
  const urlElements = paths.map(
    (path) => `<url><loc>${Bun.escapeHTML(siteUrl + path)}</loc></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urlElements.join("")}</urlset>\n`;
}

/** Creates the manifest with which a phone can add the site to its home screen. */
function createSiteManifest(name: string, styles: Styles, hasIcon: boolean): string {
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

/** Creates the manifest with which a phone or a computer can install the dashboard as an app. */
const createDashboardManifest = (name: string): string =>
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
