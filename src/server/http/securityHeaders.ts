/** The headers by which a browser keeps a page to itself and everything else out. */

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

/** Two years, the preload list's minimum being one; sub-domains are the owner's own business. */
const HSTS: [string, string] = ["strict-transport-security", "max-age=63072000"];

/** Adds the headers that a response doesn't set itself; HSTS only when the public address is https. */
export function securityHeaders(https: boolean): (response: Response) => void {
  const all = https ? [...ALWAYS, HSTS] : ALWAYS;
  return ({ headers }) => {
    for (const [name, value] of all) if (!headers.has(name)) headers.set(name, value);
  };
}
