/** The site's look for pages that the page renderer doesn't render (shared/plainPage.tsx). */
import { createFontStylesheetHref } from "../../schema/sections/fonts.ts";
import {
  computeContrastRatio,
  MIN_CONTRAST,
  chooseReadableTextColor,
} from "../../schema/core/color.ts";
import {
  findCrop,
  type Picture,
  computeObjectPosition,
  createVariantUrl,
} from "../../schema/pictures/pictures.ts";
import { toSafePictureUrl } from "../../schema/core/safeUrl.ts";
import { createThemeCss } from "../../web/entry-server.tsx";
import type { Portrait, SiteLook } from "../shared/plainPage.tsx";
import {
  getExternalFontOrigin,
  findFirstPaintFonts,
  type RenderingContext,
} from "./pageRenderer.ts";
import { readPublicContent, findPublicPictures } from "./publicContent.ts";

type LookContext = Pick<RenderingContext, "store" | "build" | "fontProvider" | "pictureOrigin">;

/** Returns the current look. If the page's text color isn't readable, the text is black or white. */
export function createSiteLook(context: LookContext): SiteLook {
  const styles = readPublicContent(context.store, "styles");
  const { backgroundColor, textColor, headingFont, bodyFont } = styles;
  const isReadable =
    (computeContrastRatio(textColor, backgroundColor) ?? MIN_CONTRAST) >= MIN_CONTRAST;
  const readableTextColor = isReadable ? textColor : chooseReadableTextColor(backgroundColor);
  const origin = getExternalFontOrigin(context.fontProvider);
  return {
    css: `${createThemeCss({ ...styles, textColor: readableTextColor })}${findFirstPaintFonts(context).css}`,
    fonts: {
      hrefs: origin
        ? [...new Set([headingFont, bodyFont])].map((family) =>
            createFontStylesheetHref(family, context.fontProvider),
          )
        : [],
      origin,
    },
    portrait: createPortrait(context),
  };
}

/** Returns the picture of the About section or, if there is none, of the hero. */
function createPortrait({ store, pictureOrigin }: LookContext): Portrait | undefined {
  const about = toSafePictureUrl(readPublicContent(store, "about").image);
  const url = about ?? toSafePictureUrl(readPublicContent(store, "hero").backgroundImage);
  if (!url) return undefined;
  const picture = findPublicPictures(store, Date.now(), pictureOrigin)[url];
  const src = picture?.at ?? url;
  const crop = picture && findCrop(picture, about ? "about" : "heroTall");
  const { x, y, zoom } = (crop && computeObjectPosition(crop, picture.focus)) ?? {
    x: 50,
    y: 20,
    zoom: 1,
  };
  return {
    src,
    srcSet: createSrcSet(src, picture),
    alt: picture?.alt ?? "",
    position: `${x.toFixed(1)}% ${y.toFixed(1)}%`,
    zoom: Number(zoom.toFixed(2)),
  };
}

const createSrcSet = (url: string, picture: Picture | undefined) =>
  picture?.widths.map((width) => `${createVariantUrl(url, width)} ${width}w`).join(", ") ||
  undefined;
