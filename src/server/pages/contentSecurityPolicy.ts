/** The content security policy of a finished page: no inline code but what the page was made with. */

/** What a page's policy depends on. */
export interface PolicyOptions {
  /** The inline code that may run, as it stands in the page. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Hosts that the owner's content takes pictures from. */
  readonly pictureHosts: readonly string[];
  /** The origin of a font provider other than this site. */
  readonly fontOrigin?: string;
  /** True when the site is reached by https. */
  readonly secure: boolean;
}

/**
 * The Content-Security-Policy of a page. Its own inline scripts and style elements are named by their
 * hashes, and only those: what content smuggles in stays dead. Style attributes are allowed since rich
 * text carries them, cleaned on the server (design.md section 7).
 */
export function contentSecurityPolicy(options: PolicyOptions): string {
  const font = options.fontOrigin ? [options.fontOrigin] : [];
  const directives = [
    ["default-src", "'none'"],
    ["script-src", "'self'", ...hashes(options.scripts)],
    ["style-src", "'self'", ...hashes(options.styles), ...font],
    ["style-src-attr", "'unsafe-inline'"],
    ["img-src", "'self'", "data:", "blob:", ...options.pictureHosts],
    // A provider's style sheet names font files on a host of its own choice.
    ["font-src", "'self'", ...(options.fontOrigin ? ["https:"] : [])],
    ["connect-src", "'self'"],
    ["manifest-src", "'self'"],
    ["form-action", "'self'"],
    ["base-uri", "'none'"],
    ["frame-ancestors", "'none'"],
    ...(options.secure ? [["upgrade-insecure-requests"]] : []),
  ];
  return directives.map((directive) => directive.join(" ")).join("; ");
}

function hashes(texts: readonly string[]): string[] {
  return [...new Set(texts)].map(
    (text) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`,
  );
}
