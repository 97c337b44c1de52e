/** What a post without scripts is refused with before it is known what is in it. */
import type { Refusal } from "../shared/errors.ts";

/**
 * A few lines that cost nothing to draw, since a page of the site is what a flood of such posts is refused. It
 * needs no style sheet, and its policy allows none.
 */
export function refusalPage({ message, status, details }: Refusal): Response {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not sent yet</title>
<main>
<h1>Not sent yet</h1>
<p>${Bun.escapeHTML(message)}</p>
<p>Go back in your browser and send it again.</p>
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
