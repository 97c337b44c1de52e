/** What a browser shows where the site is requested under another host than its own. */
import { VISITOR_REFUSALS } from "../../schema/refusals.ts";

/** A page or a file, and not a call of a program. */
export const isForPerson = ({ method, headers }: Request, path: string): boolean =>
  (method === "GET" || method === "HEAD") &&
  !path.startsWith("/api/") &&
  !(headers.get("accept") ?? "").includes("json");

const STYLE =
  "body{max-width:34rem;margin:15vh auto;padding:0 20px;font:16px/1.5 system-ui,sans-serif}";
const STYLE_HASH = new Bun.CryptoHasher("sha256").update(STYLE).digest("base64");

/** The refusal as a page that leads to the public address; the requested host is never repeated. */
export function wrongHostPage(siteUrl: string | undefined): Response {
  const address = Bun.escapeHTML(siteUrl ?? "");
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>Wrong address</title><style>${STYLE}</style></head><body><main><h1>Wrong address</h1><p>${VISITOR_REFUSALS.wrongHost}</p><p><a href="${address}">${address}</a></p></main></body></html>`;
  return new Response(body, {
    status: 421,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
      "cache-control": "no-store",
    },
  });
}
