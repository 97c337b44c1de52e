/** The content security policy of a finished page: no inline code but what the page was made with. */

/** What a page's policy depends on besides its HTML. */
export interface PolicyOptions {
  /** Hosts that the owner's content takes pictures from. */
  readonly pictureHosts: readonly string[];
  /** The origin of a font provider other than this site. */
  readonly fontOrigin?: string;
  /** True when the site is reached by https. */
  readonly secure: boolean;
}

const SCRIPT = /<script(?![^>]*\ssrc=)(?![^>]*application\/ld\+json)[^>]*>([\s\S]*?)<\/script>/gi;
const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/gi;

/**
 * The Content-Security-Policy of a page. Inline scripts and style elements are named by their hashes;
 * style attributes are allowed since rich text carries them, cleaned on the server (design.md section 7).
 */
export function contentSecurityPolicy(html: string, options: PolicyOptions): string {
  const font = options.fontOrigin ? [options.fontOrigin] : [];
  const directives = [
    ["default-src", "'none'"],
    ["script-src", "'self'", ...hashes(html, SCRIPT)],
    ["style-src", "'self'", ...hashes(html, STYLE), ...font],
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

function hashes(html: string, element: RegExp): string[] {
  const contents = new Set([...html.matchAll(element)].map((match) => match[1]!));
  return [...contents].map(
    (text) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`,
  );
}
