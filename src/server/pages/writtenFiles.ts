/** The text files of a site: robots.txt, the sitemap, the manifest and the icon. */
import { readableOn } from "../../schema/contrast.ts";
import type { Content } from "../../schema/index.ts";

type Styles = Content<"styles">;

/** Everything but the dashboard may be looked at. */
export function robotsOf(address: string | null): string {
  const rules = ["User-agent: *", "Disallow: /admin", "Disallow: /api/", "Allow: /"];
  return [...rules, ...(address ? ["", `Sitemap: ${address}/sitemap.xml`] : []), ""].join("\n");
}

/** The public pages; without a public address it names none, since a sitemap takes whole addresses. */
export function sitemapOf(address: string | null): string {
  const paths = address ? ["/", "/coaching", "/privacy-policy"] : [];
  const urls = paths.map((path) => `<url><loc>${Bun.escapeHTML(address + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>\n`;
}

/** What a phone needs to put the site on its home screen. */
export function manifestOf(name: string, styles: Styles): string {
  return JSON.stringify({
    name,
    short_name: name.length > 12 ? name.split(/\s/)[0] : name,
    start_url: "/",
    display: "minimal-ui",
    background_color: styles.backgroundColor,
    theme_color: styles.backgroundColor,
    icons: [
      { src: "/favicon.svg", type: "image/svg+xml", sizes: "any" },
      { src: "/icon-512.png", type: "image/png", sizes: "512x512" },
    ],
  });
}

/** The site's initial in its own colours. */
export function faviconSvg(name: string, styles: Styles): string {
  const initial = Bun.escapeHTML([...name.trim()][0]?.toUpperCase() ?? "");
  const [background, letter] = [styles.primaryColor, readableOn(styles.primaryColor)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
    `<rect width="64" height="64" rx="14" fill="${background}"/>` +
    `<text x="32" y="47" font-family="'Bebas Neue','Arial Narrow',Impact,sans-serif" font-size="44" ` +
    `font-weight="700" text-anchor="middle" fill="${letter}">${initial}</text></svg>`
  );
}
