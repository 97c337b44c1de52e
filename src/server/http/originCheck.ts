/** Refuses writes that another site's page makes in the owner's browser (security.md). */
import { foreignOrigin } from "./refusal.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** True for the methods that only read. */
export const isSafe = (method: string) => SAFE_METHODS.has(method);

/**
 * For every unsafe method: Sec-Fetch-Site must be same-origin or none; without it Origin must be
 * the site's own; neither present is allowed, as command-line clients send neither. Raises a 403.
 */
export function originCheck(siteUrl: string | undefined): (request: Request) => void {
  return ({ method, headers }) => {
    if (isSafe(method)) return;
    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    const allowed = site
      ? site === "same-origin" || site === "none"
      : origin === null || isOwn(origin, siteUrl, headers.get("host"));
    if (!allowed) throw foreignOrigin();
  };
}

function isOwn(origin: string, siteUrl: string | undefined, host: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  if (siteUrl !== undefined) return new URL(origin).origin === siteUrl;
  return host !== null && new URL(origin).host === host.toLowerCase();
}
