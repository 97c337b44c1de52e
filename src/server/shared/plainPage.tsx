/** Renders pages without scripts that aren't part of the website, such as the page to write a testimonial. */
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { getWords } from "../../web/words/allWords.ts";
import type { MessageBranding } from "./message.ts";

export interface PageBranding extends MessageBranding {
  readonly look: SiteLook;
}

/** The look of the website, which plain pages adopt. */
export interface SiteLook {
  /** The CSS with the custom properties of theme.ts and the rules for fonts that the site serves itself. */
  readonly css: string;
  /** The style sheets of fonts that a font provider serves, and the provider's origin. */
  readonly fonts: { readonly hrefs: readonly string[]; readonly origin: string | undefined };
  /** The attributes of the portrait's `img`; undefined without a portrait. */
  readonly portrait: Portrait | undefined;
}

export interface Portrait {
  readonly src: string;
  readonly srcSet: string | undefined;
  readonly alt: string;
  /** The CSS `object-position`. The picture is enlarged by `zoom` around this point. */
  readonly position: string;
  readonly zoom: number;
}

interface PlainPageOptions {
  readonly title: string;
  /** The document's title, if it differs from the heading. */
  readonly tabTitle?: string | undefined;
  /** The language of the page's text (BCP 47). Default: the language of the program's texts on this site. */
  readonly language?: string;
  readonly body: ReactNode;
  readonly footer?: ReactNode;
  /** Further CSS for this page. */
  readonly style?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True for a published letter. The secret URL of any other page must not reach caches or search engines. */
  readonly isPublic?: boolean;
}

export function createPlainPage(site: PageBranding, page: PlainPageOptions): Response {
  const { title, tabTitle = title, body, footer, style = "", status = 200, headers } = page;
  const { language = getWords(site.language).locale, isPublic = false } = page;
  const { css, fonts, portrait } = site.look;
  const portraitStyle = portrait ? createPortraitCss(portrait) : "";
  const styles = css + COMMON_STYLE + portraitStyle + style;
  const markup = renderToStaticMarkup(
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${tabTitle} | ${site.siteName}`}</title>
        <style dangerouslySetInnerHTML={{ __html: styles }} />
        {fonts.hrefs.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body>
        <header>
          <a href="/" dir="auto">
            {portrait && (
              <span className="portrait">
                <img src={portrait.src} srcSet={portrait.srcSet} sizes="160px" alt={portrait.alt} />
              </span>
            )}
            {site.siteName}
          </a>
        </header>
        <main>
          <h1 dir="auto">{title}</h1>
          {body}
        </main>
        {footer && <footer>{footer}</footer>}
      </body>
    </html>,
  );
  return new Response(`<!doctype html>${markup}`, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": createPagePolicy(site, styles, isPublic),
      ...(isPublic ? { "cache-control": "no-cache" } : PRIVATE_PAGE_HEADERS),
      ...headers,
    },
  });
}

const PRIVATE_PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
} as const;

/** Returns the Content-Security-Policy. Public pages may contain an owner's rich text, but no form. */
function createPagePolicy(site: PageBranding, styles: string, isPublic: boolean): string {
  const hash = new Bun.CryptoHasher("sha256").update(styles).digest("base64");
  const { origin } = site.look.fonts;
  return [
    "default-src 'none'",
    ["style-src", `'sha256-${hash}'`, origin].filter(Boolean).join(" "),
    ...(isPublic ? ["style-src-attr 'unsafe-inline'"] : []),
    ["img-src", "'self'", site.pictureOrigin].filter(Boolean).join(" "),
    // A font provider's style sheet may load font files from any host.
    `font-src 'self'${origin ? " https:" : ""}`,
    `form-action ${isPublic ? "'none'" : "'self'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const createPortraitCss = ({ position, zoom }: Portrait) =>
  `.portrait img { object-position: ${position}; transform-origin: ${position}; transform: scale(${zoom}); }\n`;

const COMMON_STYLE = `
:root { --quiet: color-mix(in srgb, var(--text) 82%, var(--background)); --line: color-mix(in srgb, var(--text) 22%, var(--background)); --field: color-mix(in srgb, var(--text) 60%, var(--background)); }
* { box-sizing: border-box; }
body { max-width: 38rem; margin: 0 auto; padding: 24px 16px 48px; background: var(--background); color: var(--text); font: 1rem/1.55 var(--body-font); font-size: var(--body-size); overflow-wrap: anywhere; }
header { margin: 0 0 28px; }
header a { display: flex; gap: 16px; align-items: center; width: fit-content; min-height: 44px; color: inherit; font-family: var(--heading-font); font-weight: var(--heading-weight); font-size: 1.125rem; text-decoration: none; text-transform: var(--heading-case); }
.portrait { display: block; flex: none; overflow: hidden; width: 88px; height: 110px; border-radius: min(var(--picture-radius), 24px); }
.portrait img { display: block; width: 100%; height: 100%; object-fit: cover; }
h1 { margin: 0 0 16px; font: var(--heading-weight) 1.75rem/1.2 var(--heading-font); letter-spacing: var(--heading-tracking); text-transform: var(--heading-case); text-wrap: balance; }
p { margin: 0 0 20px; }
p:last-child { margin: 0; }
a { color: var(--link); }
.quiet, small { color: var(--quiet); }
.quiet, small, footer { font-size: 0.9375rem; }
[role="alert"], .wrong { font-weight: 600; }
label { font-weight: 600; }
textarea, input { padding: 12px; border: 1px solid var(--field); border-radius: min(var(--radius), 12px); background: var(--background); color: inherit; font: inherit; }
textarea { display: block; width: 100%; resize: vertical; }
[type="radio"], [type="checkbox"] { flex: none; width: 24px; height: 24px; min-height: 24px; margin: 0; padding: 0; accent-color: var(--text); }
button, .button { min-height: 52px; padding: 12px 24px; border: 1px solid color-mix(in srgb, var(--text) 35%, var(--primary)); border-radius: var(--radius); background: var(--primary); color: var(--on-primary); font: inherit; font-weight: 600; cursor: pointer; }
.button { display: inline-block; text-decoration: none; }
button.quiet { min-height: 44px; padding: 8px 0; border: 0; background: none; color: var(--quiet); font-weight: 400; text-decoration: underline; text-underline-offset: 3px; }
.home { display: inline-block; min-height: 44px; padding: 10px 0; color: inherit; }
footer { margin-top: 32px; }
footer a { display: inline-block; min-height: 44px; padding: 10px 0; color: var(--quiet); }
:focus-visible { outline: 3px solid currentColor; outline-offset: 3px; }
`;
