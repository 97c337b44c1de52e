/** Standalone pages without scripts, styled like the messages that link to them; they work in every browser. */
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Stationery } from "./message.ts";

interface PlainPage {
  readonly title: string;
  /** BCP 47, of its text. */
  readonly language: string;
  readonly body: ReactNode;
  /** CSS besides what all these pages share. */
  readonly style: string;
  /** Default: 200. */
  readonly status?: number;
  /** What its CSP allows besides its own styles, as directives. */
  readonly allows: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Uses colors that pass the site's contrast checks. */
export function plainPage(site: Stationery, page: PlainPage): Response {
  const { title, language, body, status = 200, allows, headers } = page;
  const style = COMMON + page.style;
  const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
  const markup = renderToStaticMarkup(
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} | ${site.siteName}`}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>{body}</body>
    </html>,
  );
  return new Response(`<!doctype html>${markup}`, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; ${allows}; base-uri 'none'; frame-ancestors 'none'`,
      ...headers,
    },
  });
}

const COMMON = `
:root { --ground: #f2f3f5; --sheet: #fff; --words: #24292e; --quiet: #5c6670; --link: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #111315; --sheet: #1b1e21; --words: #e8eaed; --quiet: #a9afb6; --link: #9fc5ff; }
}
* { box-sizing: border-box; }
html, body { background: var(--ground); color: var(--words); }
main { padding: 28px; border-radius: 10px; background: var(--sheet); overflow-wrap: anywhere; }
h1 { line-height: 1.25; }
:focus-visible { outline: 3px solid currentColor; outline-offset: 3px; }
`;
