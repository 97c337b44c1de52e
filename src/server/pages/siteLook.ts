/** The site's look for pages that are rendered elsewhere (shared/plainPage.tsx). */
import { fontStylesheetHref } from "../../schema/sections/fonts.ts";
import { contrastRatio, MIN_CONTRAST, readableTextColor } from "../../schema/core/contrast.ts";
import {
  cropFor,
  type Picture,
  objectPositionOf,
  variantUrl,
} from "../../schema/pictures/pictures.ts";
import { safePictureUrl } from "../../schema/core/safeUrl.ts";
import { themeCss } from "../../web/entry-server.tsx";
import type { Portrait, SiteLook } from "../shared/pageSite.ts";
import { fontOriginOf, fontsOf, type RenderingContext } from "./pageRenderer.ts";
import { publicContent, publicPictures } from "./storeSource.ts";

type LookContext = Pick<RenderingContext, "store" | "build" | "fontProvider" | "pictureOrigin">;

/** Reads the look now. Texts are in the page's colors, or in black or white where those are unreadable. */
export function siteLook(context: LookContext): SiteLook {
  const styles = publicContent(context.store, "styles");
  const { backgroundColor, textColor, headingFont, bodyFont } = styles;
  const isReadable = (contrastRatio(textColor, backgroundColor) ?? MIN_CONTRAST) >= MIN_CONTRAST;
  const text = isReadable ? textColor : readableTextColor(backgroundColor);
  const origin = fontOriginOf(context.fontProvider);
  return {
    css: `${themeCss({ ...styles, textColor: text })}${fontsOf(context).css}`,
    fonts: {
      hrefs: origin
        ? [...new Set([headingFont, bodyFont])].map((family) =>
            fontStylesheetHref(family, context.fontProvider),
          )
        : [],
      origin,
    },
    portrait: portraitOf(context),
  };
}

/** The picture of About, or of the first screen. */
function portraitOf({ store, pictureOrigin }: LookContext): Portrait | undefined {
  const about = safePictureUrl(publicContent(store, "about").image);
  const address = about ?? safePictureUrl(publicContent(store, "hero").backgroundImage);
  if (!address) return undefined;
  const picture = publicPictures(store, Date.now(), pictureOrigin)[address];
  const at = picture?.at ?? address;
  const cut = picture && cropFor(picture, about ? "about" : "heroTall");
  const { x, y, zoom } = (cut && objectPositionOf(cut, picture.focus)) ?? { x: 50, y: 20, zoom: 1 };
  return {
    src: at,
    srcSet: srcSetOf(at, picture),
    alt: picture?.alt ?? "",
    position: `${x.toFixed(1)}% ${y.toFixed(1)}%`,
    zoom: Number(zoom.toFixed(2)),
  };
}

const srcSetOf = (at: string, picture: Picture | undefined) =>
  picture?.widths.map((width) => `${variantUrl(at, width)} ${width}w`).join(", ") || undefined;
