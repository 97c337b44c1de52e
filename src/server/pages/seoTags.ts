/** What search engines and shared links read of a page: addresses, social cards, structured data. */
import { coachingWordsOf } from "../../schema/coachingWords.ts";
import type { Content } from "../../schema/index.ts";
import { safeUrl } from "../../schema/safeUrl.ts";
import { coachingWords, homeWords, type PageWords, policyWords } from "../../web/entry-server.tsx";
import type { Store } from "../storage/store.ts";
import { publicContent } from "./storeSource.ts";

interface Page extends PageWords {
  readonly path: string;
  readonly picture?: string | null;
  readonly data?: Record<string, unknown>;
}

/**
 * The tags of a page for its head; those that need the public address are left out without one, since
 * the Host of a request is never believed (design.md section 4). Empty for pages that nobody looks for.
 */
export function seoTags(key: string, store: Store, address: string | null): string {
  const page = pageOf(key, store, address);
  if (!page) return '<meta name="robots" content="noindex">';
  const { name } = publicContent(store, "site");
  const url = address && `${address}${page.path}`;
  const picture = absolute(page.picture ?? "/social.png", address);
  return [
    url && `<link rel="canonical" href="${escaped(url)}">`,
    property("og:type", key === "/" ? "profile" : "website"),
    property("og:site_name", name),
    property("og:description", page.description),
    property("og:url", url),
    property("og:image", picture),
    named("twitter:card", "summary_large_image"),
    named("twitter:title", page.title),
    named("twitter:description", page.description),
    named("twitter:image", picture),
    page.data && structured({ "@context": "https://schema.org", ...page.data }),
  ]
    .filter(Boolean)
    .join("");
}

function pageOf(key: string, store: Store, address: string | null): Page | undefined {
  const { name } = publicContent(store, "site");
  if (key === "/privacy-policy") return { path: key, ...policyWords(name) };
  if (key === "/coaching") return coachingPage(store, name, address);
  return key === "/" ? homePage(store, name, address) : undefined;
}

function homePage(store: Store, name: string, address: string | null): Page {
  const hero = publicContent(store, "hero");
  const words = homeWords(name, hero);
  return { path: "/", ...words, picture: hero.backgroundImage, data: person(store, name, address) };
}

function coachingPage(store: Store, name: string, address: string | null): Page {
  const hero = publicContent(store, "coachingHero");
  const words = coachingWords(name, hero);
  const { mainTitle, subtitle } = coachingWordsOf(hero);
  const { contactEmail } = publicContent(store, "site");
  const data = {
    "@type": "ProfessionalService",
    name: `${name} – ${mainTitle} ${subtitle}`,
    description: words.description,
    ...(address ? { url: `${address}/coaching` } : {}),
    ...(contactEmail ? { email: contactEmail } : {}),
    ...pictured(hero.backgroundImage, address),
    founder: person(store, name, address),
  };
  return { path: "/coaching", ...words, picture: hero.backgroundImage, data };
}

/** The performer as schema.org's Person, with the other places to be found at. */
function person(store: Store, name: string, address: string | null): Record<string, unknown> {
  const hero: Content<"hero"> = publicContent(store, "hero");
  const elsewhere = publicContent(store, "connectLinks")
    .map(({ url }) => safeUrl(url))
    .filter((url) => url?.startsWith("http"));
  return {
    "@type": "Person",
    name,
    jobTitle: hero.tagline
      .split("•")
      .map((part) => part.trim())
      .filter(Boolean),
    ...(address ? { url: `${address}/` } : {}),
    ...pictured(publicContent(store, "about").image ?? hero.backgroundImage, address),
    ...(elsewhere.length > 0 ? { sameAs: elsewhere } : {}),
  };
}

function pictured(picture: string | null, address: string | null) {
  const image = picture && absolute(picture, address);
  return image ? { image } : {};
}

function absolute(url: string, address: string | null): string | null {
  if (!url.startsWith("/")) return url;
  return address && `${address}${url}`;
}

function property(name: string, content: string | null): string {
  return content ? `<meta property="${name}" content="${escaped(content)}">` : "";
}

function named(name: string, content: string | null): string {
  return content ? `<meta name="${name}" content="${escaped(content)}">` : "";
}

function structured(data: unknown): string {
  // Nothing in it may end the element (security.md, "Breaking out of the page's data").
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `<script type="application/ld+json">${json}</script>`;
}

function escaped(text: string): string {
  return Bun.escapeHTML(text);
}
