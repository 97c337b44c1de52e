/** The headers by which a browser keeps a page to itself and everything else out. */
import type { Config } from "../shared/config.ts";

/** For answers that are no page: nothing may load, frame or be framed. Pages bring their own. */
const NO_PAGE_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const FEATURES = [
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

const ALWAYS: readonly [string, string][] = [
  ["content-security-policy", NO_PAGE_CSP],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
  ["permissions-policy", FEATURES.map((feature) => `${feature}=()`).join(", ")],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
];

/** Two years, the preload list's minimum being one. */
const HSTS = "max-age=63072000";

/** Where a site is reached over HTTPS alone, which browsers are told (HSTS): nowhere, at its host, at all names below it too. */
export type Encrypted = "nowhere" | "host" | "subdomains";

/** Only the owner knows whether all names below the host have HTTPS: one that hasn't could no longer be reached. */
export function encryptedAt({ siteUrl, httpsSubdomains }: HttpsSettings): Encrypted {
  if (!siteUrl?.startsWith("https:")) return "nowhere";
  return httpsSubdomains ? "subdomains" : "host";
}

type HttpsSettings = Pick<Config, "siteUrl" | "httpsSubdomains">;

/** Adds the headers that a response doesn't set itself. */
export function securityHeaders(encrypted: Encrypted): (response: Response) => void {
  const hsts = encrypted === "subdomains" ? `${HSTS}; includeSubDomains` : HSTS;
  const all =
    encrypted === "nowhere" ? ALWAYS : [...ALWAYS, ["strict-transport-security", hsts] as const];
  return ({ headers }) => {
    for (const [name, value] of all) if (!headers.has(name)) headers.set(name, value);
  };
}
