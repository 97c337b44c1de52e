/** The first screen's picture, loaded with priority. */
import { useRouter } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import { isRightToLeft } from "../../../schema/core/direction.ts";
import {
  type PortraitLayout,
  createPortraitLayout,
} from "../../../schema/sections/heroPortrait.ts";
import type { Pictures, Scrim } from "../../../schema/pictures/pictures.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import { Photo, type ImageSources, createSources } from "../parts/Photo.tsx";

/**
 * The placement of a picture that covers the screen. In portrait orientation, half of the picture is cut off at its
 * sides, so a file for 85 % of the screen's height is sharp enough.
 */
const FULL_SCREEN_PLACEMENT = {
  sizes: "(orientation: portrait) 85vh, 100vw",
  crop: { wide: "heroWide", tall: "heroTall" },
} as const;

/** Returns the placement of the picture, with the widths of HeroFigure.css if the picture shows a person. */
function createPlacement(portraitLayout: PortraitLayout | undefined) {
  if (!portraitLayout) return FULL_SCREEN_PLACEMENT;
  const { orientation, ratio } = portraitLayout;
  if (orientation === "wide") return { sizes: "100vw" };
  const height = `${Math.round(100 * ratio)}vh`;
  return { sizes: `(min-width: 640px) and (min-aspect-ratio: 6/5) min(54vw, ${height}), 100vw` };
}

/** Returns the layout of a picture beside or above the text; undefined for a picture behind the text. */
const findPortraitLayout = (src: string, pictures: Pictures, title: string) =>
  createPortraitLayout(pictures[src], isRightToLeft(title) ? "right" : "left");

interface HeroPictureProps {
  readonly src: string;
  readonly pictures: Pictures;
  readonly title: string;
  /** Whether inline/pictureArrival.ts tracks the picture for the hero's styles. */
  readonly isTracked?: boolean;
}

/** Renders the picture and, on the server only, scripts that wait for it: inserted scripts don't run in a browser. */
export function HeroPicture({ src, pictures, title, isTracked = false }: HeroPictureProps) {
  const { ssr, context } = useRouter({ warn: false })?.options ?? {};
  const { firstScreen = "", pictureArrival = "" } = context?.server?.inline ?? {};
  const { assets } = usePageContext();
  const portraitLayout = findPortraitLayout(src, pictures, title);
  const placement = createPlacement(portraitLayout);
  const code = isTracked ? firstScreen + pictureArrival : firstScreen;
  return (
    <>
      {portraitLayout && <link rel="stylesheet" href={assets.portraitStyles} />}
      <Photo src={src} pictures={pictures} {...placement} className="hero-picture" isFirst />
      <script nonce={ssr?.nonce} dangerouslySetInnerHTML={{ __html: code }} />
    </>
  );
}

export function createHeroSources(src: string, pictures: Pictures, title: string): ImageSources {
  const placement = createPlacement(findPortraitLayout(src, pictures, title));
  return createSources(src, { pictures, ...placement });
}

/**
 * Returns attributes for style sheets: the layout of a picture beside or above the text (HeroFigure.css), or the
 * strength of the shade over a picture behind the text (Hero.css).
 */
export function createHeroAttributes(
  src: string | null | undefined,
  pictures: Pictures,
  title: string,
) {
  if (!src) return {};
  const portraitLayout = findPortraitLayout(src, pictures, title);
  if (!portraitLayout) return { "data-behind": "", style: createScrimStyle(pictures[src]?.veil) };
  const { orientation, isMirrored, hasLightEdge, ratio, position } = portraitLayout;
  const rim = pictures[src]?.rim;
  return {
    "data-figure": orientation,
    "data-mirrored": isMirrored ? "" : undefined,
    "data-rim": hasLightEdge ? "light" : undefined,
    style: {
      "--ratio": Math.round(100 * ratio) / 100,
      "--at": `${position.x.toFixed(1)}% ${position.y.toFixed(1)}%`,
      ...(rim !== undefined && { "--rim": `rgb(${rim} ${rim} ${rim})` }),
    } as CSSProperties,
  };
}

const createScrimStyle = (scrim: Scrim | undefined) =>
  scrim && ({ "--veil-wide": scrim.wide, "--veil-tall": scrim.tall } as CSSProperties);
