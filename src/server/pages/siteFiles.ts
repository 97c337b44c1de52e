/** The small files that browsers and search engines ask a site for, made from its name and colours. */
import type { Store } from "../storage/store.ts";
import { iconPicture, icoOf, socialPicture } from "./drawnPictures.ts";
import { faviconSvg, manifestOf, robotsOf, sitemapOf } from "./writtenFiles.ts";
import { publicContent } from "./storeSource.ts";

/** Answers requests for these files; undefined for a path that is none. */
export type SiteFiles = (path: string, request: Request) => Promise<Response | undefined>;

interface File {
  readonly etag: string;
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Serves the files; each is made once for a state of the content. */
export function siteFiles(store: Store, address: string | null): SiteFiles {
  const makers = makersOf(store, address);
  const made = new Map<string, File>();
  store.onChange((name) => (name === "site" || name === "styles") && made.clear());
  return async (path, request) => {
    const make = makers[path];
    if (!make) return undefined;
    const file = made.get(path) ?? finished(await make());
    made.set(path, file);
    const headers = { "content-type": file.type, "cache-control": "no-cache", etag: file.etag };
    return request.headers.get("if-none-match") === file.etag
      ? new Response(null, { status: 304, headers })
      : new Response(file.body, { headers });
  };
}

type Make = () => Omit<File, "etag"> | Promise<Omit<File, "etag">>;

function makersOf(store: Store, address: string | null): Readonly<Record<string, Make>> {
  const styles = () => publicContent(store, "styles");
  const name = () => publicContent(store, "site").name;
  const xml = "application/xml; charset=utf-8";
  return {
    __proto__: null as never,
    "/robots.txt": () => ({ type: "text/plain; charset=utf-8", body: robotsOf(address) }),
    "/sitemap.xml": () => ({ type: xml, body: sitemapOf(address) }),
    "/manifest.webmanifest": () => ({
      type: "application/manifest+json",
      body: manifestOf(name(), styles()),
    }),
    "/favicon.svg": () => ({ type: "image/svg+xml", body: faviconSvg(name(), styles()) }),
    "/favicon.ico": () => ({ type: "image/x-icon", body: icoOf(iconPicture(32, styles()), 32) }),
    "/apple-touch-icon.png": () => ({ type: "image/png", body: iconPicture(180, styles()) }),
    "/icon-512.png": () => ({ type: "image/png", body: iconPicture(512, styles()) }),
    "/social.png": () => ({ type: "image/png", body: socialPicture(styles()) }),
  };
}

function finished(file: Omit<File, "etag">): File {
  return { ...file, etag: `"${Bun.hash(file.body).toString(36)}"` };
}
