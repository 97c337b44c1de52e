/** Refusals as short pages that are cheap to produce, since a flood of refused requests must not render whole pages. */
import type { SiteWords } from "../../web/words/siteWords.ts";

interface RefusalPage {
  readonly status: number;
  readonly title: string;
  /** HTML, one string for each paragraph. */
  readonly paragraphs: readonly string[];
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const STYLE =
  "body{max-width:34rem;margin:15vh auto;padding:0 20px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}h1{font-size:1.5rem;line-height:1.3}";
const STYLE_HASH = new Bun.CryptoHasher("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function createRefusalPage(
  { locale }: SiteWords,
  { status, title, paragraphs, headers }: RefusalPage,
): Response {
  const body = paragraphs.map((html) => `<p>${html}</p>`).join("");
  return new Response(
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`,
    {
      status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": POLICY,
        "cache-control": "no-store",
        ...headers,
      },
    },
  );
}
