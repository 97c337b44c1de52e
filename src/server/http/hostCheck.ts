/** Refuses requests for another host than the site's own (security.md, "Forged Host"). */
import { wrongHost } from "./refusal.ts";

/**
 * With a public address set, only its host is answered; without one any is, and never reflected.
 * `/api/health` answers any Host, for monitors. Raises a 421.
 */
export function hostCheck(siteUrl: string | undefined): (request: Request, path: string) => void {
  if (siteUrl === undefined) return () => {};
  const own = new URL(siteUrl);
  const accepted = new Set([own.host, `${own.hostname}:${own.port || defaultPort(own)}`]);
  return (request, path) => {
    const host = request.headers.get("host")?.toLowerCase() ?? "";
    if (!accepted.has(host) && path !== "/api/health") throw wrongHost();
  };
}

const defaultPort = (url: URL) => (url.protocol === "https:" ? "443" : "80");
