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
    const fonts = fontsOf(options);
    const isOwners = key.startsWith("/admin");
    const shell = shellOf(options, fonts.preloads, isOwners);
    const rendered = await renderPage(key, source, shell, enquiryState);
    const { status, scripts } = rendered;
    // The dashboard has a face of its own.
    const fontCss = isOwners ? "" : fonts.css;
    const added = `${seoTags(key, store, siteUrl)}${fontCss && `<style>${fontCss}</style>`}`;
    const html = rendered.html.replace("</head>", () => `${added}</head>`);
    const styles = fontCss ? [...rendered.styles, fontCss] : rendered.styles;
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

function fontsOf({ store, build, fontProvider }: PagesOptions) {
  const { headingFont, bodyFont } = publicContent(store, "styles");
  const families = [...new Set([headingFont, bodyFont])];
  return firstPaintFonts(build.fonts, families, fontProvider.startsWith("/"));
}

function shellOf(options: PagesOptions, fontPreloads: readonly string[], isOwners: boolean): Shell {
  const { store, build, siteUrl, fontProvider } = options;
  const { retentionDays = 30, now = () => new Date() } = options;
  const styles: Content<"styles"> = publicContent(store, "styles");
  return {
    site: store.document<Content<"site">>(entities.site.name).read().value,
    styles,
    // The dashboard has a theme of its own.
    themeCss: isOwners ? "" : themeCss(styles),
    assets: build.shell,
    address: siteUrl,
    fontProvider,
    fontPreloads: isOwners ? [] : fontPreloads,
    today: localDay(now()),
    retentionDays,
  };
}

/** The day on the server's clock and in its time zone, as yyyy-mm-dd. */
function localDay(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
