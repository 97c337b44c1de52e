/** The security headers of all responses. */
import type { Config } from "../shared/config.ts";

/** The policy of responses that aren't pages: nothing may load, frame or be framed. Pages set a policy of their own. */
const NON_PAGE_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const DISABLED_FEATURES = [
  "accelerometer",
  "browsing-topics",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
];

const DEFAULT_HEADERS: readonly [string, string][] = [
  ["content-security-policy", NON_PAGE_CSP],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
  ["permissions-policy", DISABLED_FEATURES.map((feature) => `${feature}=()`).join(", ")],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
];

/** Two years. The preload list requires at least one. */
const HSTS_MAX_AGE = "max-age=63072000";

/** The hosts where HSTS makes browsers use HTTPS only: none, the site's, or its subdomains too. */
export type HstsScope = "nowhere" | "host" | "subdomains";

/**
 * Chooses where HSTS applies. Subdomains are included only by setting: one without HTTPS would become unreachable, and
 * the server can't check them.
 */
export function chooseHstsScope({ siteUrl, httpsSubdomains }: HttpsSettings): HstsScope {
  if (!siteUrl?.startsWith("https:")) return "nowhere";
  return httpsSubdomains ? "subdomains" : "host";
}

type HttpsSettings = Pick<Config, "siteUrl" | "httpsSubdomains">;

/** Adds the security headers that a response doesn't set itself. */
export function createHeaderSetter(hstsScope: HstsScope): (response: Response) => void {
  const hsts = hstsScope === "subdomains" ? `${HSTS_MAX_AGE}; includeSubDomains` : HSTS_MAX_AGE;
  const securityHeaders =
    hstsScope === "nowhere"
      ? DEFAULT_HEADERS
      : [...DEFAULT_HEADERS, ["strict-transport-security", hsts] as const];
  return ({ headers }) => {
    for (const [name, value] of securityHeaders) if (!headers.has(name)) headers.set(name, value);
  };
}
