/** The branding of pages outside the website: those behind links in messages, and published letters. */
import type { MessageBranding } from "./message.ts";

/** The look of the site: custom properties of its theme, its fonts and the owner's portrait. */
export interface SiteLook {
  /** CSS text: the custom properties of theme.ts, and the rules for fonts that the site serves itself. */
  readonly css: string;
  /** The style sheets of fonts served by another site, and the origin of that site. */
  readonly fonts: { readonly hrefs: readonly string[]; readonly origin: string | undefined };
  /** The attributes of the portrait's `img`; undefined without a portrait. */
  readonly portrait: Portrait | undefined;
}

export interface Portrait {
  readonly src: string;
  readonly srcSet: string | undefined;
  readonly alt: string;
  /** The CSS `object-position`. The picture is scaled by `zoom` around this point. */
  readonly position: string;
  readonly zoom: number;
}

export interface PageSite extends MessageBranding {
  readonly look: SiteLook;
}
