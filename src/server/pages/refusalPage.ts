/** The page for a plain post that is refused before its content is known. */
import { refusalIn } from "../../web/words/all.ts";
import type { SiteWords } from "../../web/words/siteWords.ts";
import type { Refusal } from "../shared/errors.ts";

/**
 * A few lines that are cheap to produce, since a flood of such posts must not render whole pages. It needs no style
 * sheet, and its policy allows none.
 */
export function refusalPage({ message, status, details }: Refusal, own: SiteWords): Response {
  const { title, text } = own.words.refused;
  const html = `<!doctype html>
<html lang="${own.locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<main>
<h1>${title}</h1>
<p>${Bun.escapeHTML(refusalIn(own, message))}</p>
<p>${text}</p>
</main>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ...details.headers,
    },
  });
}
