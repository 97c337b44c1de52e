/** The site that pages outside the website belong to: those behind links in messages, and published letters. */
import type { MessageBranding } from "./message.ts";

/** The site's look: the theme's custom properties, its fonts and the owner's portrait. */
export interface SiteLook {
  /** Style sheets' text: the custom properties of theme.ts, and the rules of fonts that the site serves itself. */
  readonly css: string;
  /** Style sheets of fonts from another site, with its origin. */
  readonly fonts: { readonly hrefs: readonly string[]; readonly origin: string | undefined };
  /** As attributes of an `img`; undefined without a portrait. */
  readonly portrait: Portrait | undefined;
}

export interface Portrait {
  readonly src: string;
  readonly srcSet: string | undefined;
  readonly alt: string;
  /** CSS: `object-position`, and the scale with that point as its origin. */
  readonly position: string;
  readonly zoom: number;
}

export interface PageSite extends MessageBranding {
  readonly look: SiteLook;
}
