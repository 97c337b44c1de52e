/** Renders a page from the store: the shell around it, its content, its policy. */
import type { PlainEnquiryState } from "../../schema/enquiry.ts";
import { entities, type Content } from "../../schema/index.ts";
import { renderPage, type Shell, themeCss } from "../../web/entry-server.tsx";
import { contentSecurityPolicy } from "./contentSecurityPolicy.ts";
import { firstPaintFonts } from "./fonts/firstPaintFonts.ts";
import type { PageAsRendered } from "./pageCache.ts";
import type { PagesOptions } from "./pages.ts";
import { seoTags } from "./seoTags.ts";
import { pictureHosts, publicContent, storeSource } from "./storeSource.ts";

/** Makes the function that renders one page as it is now, its enquiry form where a post has led. */
export function pageRenderer(
  options: PagesOptions,
): (key: string, enquiryState?: PlainEnquiryState) => Promise<PageAsRendered> {
  const { store, siteUrl, fontProvider, cleanHtml } = options;
  const source = storeSource(store, cleanHtml);
  const fontOrigin = fontProvider.startsWith("/")
    ? {}
    : { fontOrigin: new URL(fontProvider).origin };
  return async (key, enquiryState) => {
    const rendered = await renderPage(key, source, shellOf(options), enquiryState);
    const { status, scripts, styles } = rendered;
    const html = rendered.html.replace("</head>", () => `${seoTags(key, store, siteUrl)}</head>`);
    const secure = siteUrl?.startsWith("https:") ?? false;
    const policy = contentSecurityPolicy({
      scripts,
      styles,
      pictureHosts: pictureHosts(store),
      secure,
      ...fontOrigin,
    });
    return { status, html, policy };
  };
}

function shellOf({
  store,
  build,
  siteUrl,
  fontProvider,
  retentionDays = 30,
  now = () => new Date(),
}: PagesOptions): Shell {
  const styles: Content<"styles"> = publicContent(store, "styles");
  const families = [...new Set([styles.headingFont, styles.bodyFont])];
  const { fallbacks, preloads } = firstPaintFonts(
    build.fonts,
    families,
    fontProvider.startsWith("/"),
  );
  return {
    site: store.document<Content<"site">>(entities.site.name).read().value,
    styles,
    themeCss: themeCss(styles),
    assets: build.shell,
    address: siteUrl,
    fontProvider,
    fontFallbacks: fallbacks,
    fontPreloads: preloads,
    today: localDay(now()),
    retentionDays,
  };
}

/** The day on the server's clock and in its time zone, as yyyy-mm-dd. */
function localDay(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
