/** The small files that browsers and search engines ask a site for, made from its name and colors. */
import { decode, encode } from "fast-png";
import { readableOn } from "../../schema/contrast.ts";
import { type Content, entities } from "../../schema/index.ts";
import { PUBLIC_PATHS } from "../../web/entry-server.tsx";
import { encodedText, MADE_ONCE, type Representation } from "../http/conditional.ts";
import type { Store } from "../storage/store.ts";
import { type SharePictureContext, sharePictures } from "./sharePicture.ts";
import { publicContent } from "./storeSource.ts";
import type { WebBuild } from "./webBuild.ts";

type Styles = Content<"styles">;

/** A file as it is made; text is sent compressed. */
interface SiteFile {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

type Made = Representation | Promise<Representation>;

interface SiteFilesContext extends SharePictureContext {
  /** SITE_URL without a trailing slash, or null. */
  readonly siteUrl: string | null;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** What the files are made from. */
const SOURCES = new Set(
  ["site", "styles", "hero", "coachingHero", "sharing", "uploads", "letterSettings"].map(
    (key) => entities[key as "site"].name,
  ),
);

/** The files by address, each made once for a state of the content; undefined for a path that is none. */
export function siteFiles(context: SiteFilesContext): (path: string) => Made | undefined {
  const { store, siteUrl: address, now = () => new Date() } = context;
  const makers = makersOf(store, address, context.build);
  const drawnOf = (path: string) => {
    const maker = makers.get(path);
    return maker && finished(maker());
  };
  const draw = sharePictures(context);
  const ownIcon = ownIcons(context);
  const made = new Map<string, Made>();
  store.onChange((name) => SOURCES.has(name as "site") && made.clear());
  const make = (path: string) =>
    draw(path)?.then((body) => finished({ type: "image/jpeg", body })) ??
    ownIcon(path)?.then((file) => finished(file ?? makers.get(path)!()));
  const later = (path: string) => {
    const drawing = make(path)?.catch((error: unknown) => {
      // One that failed is tried again by who asks next.
      if (made.get(path) === drawing) made.delete(path);
      const drawn = drawnOf(path);
      if (!drawn) throw error;
      return drawn;
    });
    return drawing;
  };
  return (path) => {
    if (path === SECURITY_TXT) return securityTxt(store, address, now());
    const known = made.get(path) ?? later(path) ?? drawnOf(path);
    if (known) made.set(path, known);
    return known;
  };
}

function finished({ type, body }: SiteFile): Representation {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const headers = { "content-type": type, "cache-control": "no-cache" };
  const etag = `"${Bun.hash(bytes).toString(36)}"`;
  return typeof body === "string"
    ? { headers, etag, ...encodedText(bytes, MADE_ONCE) }
    : { headers, etag, bytes: { identity: () => bytes } };
}

const SECURITY_TXT = "/.well-known/security.txt";

/** Whom to tell of a hole in the site (RFC 9116); there is none while no contact address is given. */
function securityTxt(store: Store, address: string | null, now: Date): Representation | undefined {
  const { contactEmail } = publicContent(store, "site");
  if (!contactEmail) return undefined;
  // Half a year ahead, and the same all month.
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 7));
  const lines = [
    `Contact: mailto:${encodeURI(contactEmail)}`,
    `Expires: ${expires.toISOString()}`,
    ...(address ? [`Canonical: ${address}${SECURITY_TXT}`] : []),
    "Preferred-Languages: en",
    "",
  ];
  return finished({ type: "text/plain; charset=utf-8", body: lines.join("\n") });
}

/** The icons that browsers ask for unasked, by address: their sides in pixels. */
const ICON_SIDES: ReadonlyMap<string, number> = new Map([
  ["/favicon.ico", 32],
  ["/apple-touch-icon.png", 180],
  ["/icon-192.png", 192],
  ["/icon-512.png", 512],
]);

/** The icons from the owner's own picture; undefined where there is none. They reject where it can't be read. */
function ownIcons({ store, pictureFile }: SiteFilesContext) {
  return (path: string): Promise<SiteFile | undefined> | undefined => {
    const side = ICON_SIDES.get(path);
    const { icon } = publicContent(store, "sharing");
    if (side === undefined || !icon?.startsWith(UPLOADS_PATH)) return undefined;
    const square = async () => {
      const file = await pictureFile(icon.slice(UPLOADS_PATH.length));
      if (!file) return undefined;
      const bytes = await squareOf(await Bun.file(file.path).bytes(), side);
      return path.endsWith(".ico")
        ? { type: "image/x-icon", body: icoOf(bytes, side) }
        : { type: "image/png", body: bytes };
    };
    return square();
  };
}

const UPLOADS_PATH = "/uploads/";

/** The middle of a picture as a square PNG. */
async function squareOf(picture: Uint8Array, side: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = () => new Bun.Image(picture, { autoOrient: false });
  const whole = await image().metadata();
  const scale = side / Math.min(whole.width, whole.height);
  const [wide, high] = [whole.width, whole.height].map((each) =>
    Math.max(side, Math.round(each * scale)),
  );
  const { data, width, height, channels } = decode(
    await image().resize(wide!, high!).png().bytes(),
  );
  const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)];
  const rows = Array.from({ length: side }, (_, row) => {
    const from = ((top + row) * width + left) * channels;
    return data.subarray(from, from + side * channels);
  });
  const cut = new Uint8Array(side * side * channels);
  for (const [row, each] of rows.entries()) cut.set(each, row * side * channels);
  return new Uint8Array(encode({ width: side, height: side, data: cut, channels }));
}

function makersOf(
  store: Store,
  address: string | null,
  build: Pick<WebBuild, "worker">,
): ReadonlyMap<string, () => SiteFile> {
  const styles = () => publicContent(store, "styles");
  const name = () => publicContent(store, "site").name;
  const xml = "application/xml; charset=utf-8";
  const makers: Record<string, () => SiteFile> = {
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
    // Its address says for which pages it may speak.
    "/admin/worker.js": () => ({ type: "text/javascript; charset=utf-8", body: build.worker }),
    "/favicon.svg": () => ({ type: "image/svg+xml", body: faviconSvg(name(), styles()) }),
    "/favicon.ico": () => ({ type: "image/x-icon", body: icoOf(iconPicture(32, styles()), 32) }),
    "/apple-touch-icon.png": () => ({ type: "image/png", body: iconPicture(180, styles()) }),
    "/icon-192.png": () => ({ type: "image/png", body: iconPicture(192, styles()) }),
    "/icon-512.png": () => ({ type: "image/png", body: iconPicture(512, styles()) }),
  };
  return new Map(Object.entries(makers));
}

/** Everything but the dashboard may be looked at. */
function robotsOf(address: string | null): string {
  const rules = ["User-agent: *", "Disallow: /admin", "Disallow: /api/", "Allow: /"];
  return [...rules, ...(address ? ["", `Sitemap: ${address}/sitemap.xml`] : []), ""].join("\n");
}

/** The public pages; without a public address it names none, since a sitemap takes whole addresses. */
function sitemapOf(store: Store, address: string | null): string {
  const { archive } = store.of(entities.letterSettings).read().value;
  const paths = address ? [...PUBLIC_PATHS, ...(archive ? ["/letters"] : [])] : [];
  const urls = paths.map((path) => `<url><loc>${Bun.escapeHTML(address + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>\n`;
}

/** What a phone needs to put the site on its home screen. */
function manifestOf(name: string, styles: Styles, hasOwnIcon: boolean): string {
  return JSON.stringify({
    name,
    short_name: name.length > 12 ? name.split(/\s/)[0] : name,
    start_url: "/",
    display: "minimal-ui",
    background_color: styles.backgroundColor,
    theme_color: styles.backgroundColor,
    icons: [
      ...(hasOwnIcon ? [] : [{ src: "/favicon.svg", type: "image/svg+xml", sizes: "any" }]),
      { src: "/icon-512.png", type: "image/png", sizes: "512x512" },
    ],
  });
}

/** What a phone or a computer needs to keep the dashboard as an app. */
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

/** The site's initial in its own colors. */
function faviconSvg(name: string, styles: Styles): string {
  const initial = Bun.escapeHTML([...name.trim()][0]?.toUpperCase() ?? "");
  const [background, letter] = [styles.primaryColor, readableOn(styles.primaryColor)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
    `<rect width="64" height="64" rx="14" fill="${background}"/>` +
    `<text x="32" y="47" font-family="'Bebas Neue','Arial Narrow',Impact,sans-serif" font-size="44" ` +
    `font-weight="700" text-anchor="middle" fill="${letter}">${initial}</text></svg>`
  );
}

type Rgb = readonly [number, number, number];
/** The color and the opacity (0 to 1) of a point; x and y run from 0 to 1. */
type Paint = (x: number, y: number) => readonly [...Rgb, number];

/** A square icon as PNG: a pool of light on the site's background, corners rounded. */
function iconPicture(size: number, styles: Styles): Uint8Array<ArrayBuffer> {
  const [dark, light] = colorsOf(styles);
  return png(size, size, (x, y) => {
    const lit = Math.max(beam(x, y) * 0.75, pool(x, y, 0.62, 0.34, 0.15));
    return [...mixed(dark, light, lit), corner(x, y, 0.22, size)];
  });
}

/** An .ico file that holds one PNG (allowed since Windows Vista, and by every browser). */
function icoOf(picture: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(22));
  head.setUint16(2, 1, true);
  head.setUint16(4, 1, true);
  head.setUint8(6, size);
  head.setUint8(7, size);
  head.setUint16(10, 1, true);
  head.setUint16(12, 32, true);
  head.setUint32(14, picture.length, true);
  head.setUint32(18, 22, true);
  return new Uint8Array(Buffer.concat([new Uint8Array(head.buffer), picture]));
}

function colorsOf({ backgroundColor, primaryColor }: Styles): [Rgb, Rgb] {
  return [
    Bun.color(backgroundColor, "[rgb]") ?? [0, 0, 0],
    Bun.color(primaryColor, "[rgb]") ?? [0, 191, 255],
  ];
}

/** Light that falls from the middle of the upper edge and widens on its way. */
function beam(x: number, y: number): number {
  const half = 0.06 + 0.26 * y;
  const across = Math.abs(x - 0.5) / half;
  return across >= 1 ? 0 : (1 - across) * (1 - 0.72 * y);
}

/** Light on the floor: an ellipse with its middle at (0.5, `at`). */
function pool(x: number, y: number, at: number, wide: number, high: number): number {
  const distance = Math.hypot((x - 0.5) / wide, (y - at) / high);
  return Math.max(0, Math.min(1, (1 - distance) * 3));
}

function mixed(from: Rgb, to: Rgb, part: number): Rgb {
  const channel = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * part);
  return [channel(0), channel(1), channel(2)];
}

/** The opacity at a square's rounded corners. */
function corner(x: number, y: number, radius: number, size: number): number {
  const beyond = (at: number) => Math.max(0, radius - Math.min(at, 1 - at));
  const distance = radius - Math.hypot(beyond(x), beyond(y));
  return Math.max(0, Math.min(1, distance * size));
}

function png(width: number, height: number, paint: Paint): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const [r, g, b, opacity] = paint((x + 0.5) / width, (y + 0.5) / height);
    data.set([r, g, b, Math.round(opacity * 255)], at * 4);
  }
  return new Uint8Array(encode({ width, height, data, channels: 4 }));
}
