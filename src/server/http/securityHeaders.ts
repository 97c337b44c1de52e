/** The security headers of all responses. */
import type { Config } from "../shared/config.ts";

/** The policy of responses that aren't pages: no loading, no framing. Pages have policies of their own. */
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

/** Browsers use only HTTPS for two years after a visit. The HSTS preload list requires at least one year. */
const HSTS_MAX_AGE = "max-age=63072000";

export type HttpsSettings = Pick<Config, "siteUrl" | "httpsSubdomains">;

/**
 * Adds the security headers that a response doesn't set itself. HSTS includes subdomains only if a setting says so: a
 * subdomain without HTTPS would become unreachable, and the server can't check them.
 */
export function createHeaderSetter({
  siteUrl,
  httpsSubdomains,
}: HttpsSettings): (response: Response) => void {
  const hsts = httpsSubdomains ? `${HSTS_MAX_AGE}; includeSubDomains` : HSTS_MAX_AGE;
  const securityHeaders = siteUrl?.startsWith("https:")
    ? [...DEFAULT_HEADERS, ["strict-transport-security", hsts] as const]
    : DEFAULT_HEADERS;
  return ({ headers }) => {
    for (const [name, value] of securityHeaders) if (!headers.has(name)) headers.set(name, value);
  };
}
