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
 * The placement of a picture that covers the screen. On an upright screen, half of the picture is out of sight at the
 * sides, so its width isn't 100vw: a file for 85 % of the screen's height is sharp enough.
 */
const FULL_SCREEN_PLACEMENT = {
  sizes: "(orientation: portrait) 85vh, 100vw",
  crop: { wide: "heroWide", tall: "heroTall" },
} as const;

/** Returns the placement of the picture. The widths of a picture with a person are those in HeroFigure.css. */
function createPlacement(portraitLayout: PortraitLayout | undefined) {
  if (!portraitLayout) return FULL_SCREEN_PLACEMENT;
  const { orientation, ratio } = portraitLayout;
  if (orientation === "wide") return { sizes: "100vw" };
  const height = `${Math.round(100 * ratio)}vh`;
  return { sizes: `(min-width: 768px) and (min-aspect-ratio: 6/5) min(54vw, ${height}), 100vw` };
}

/**
 * Returns the layout of a picture beside or above the text; undefined for a picture behind the text. The title's script
 * determines the side of the text.
 */
const findPortraitLayout = (src: string, pictures: Pictures, title: string) =>
  createPortraitLayout(pictures[src], isRightToLeft(title) ? "right" : "left");

interface HeroPictureProps {
  readonly src: string;
  readonly pictures: Pictures;
  readonly title: string;
  /** Whether inline/pictureArrival.ts tracks the picture for the hero's styles. */
  readonly isTracked?: boolean;
}

/**
 * Renders the picture. The server adds the inline scripts that wait for the picture. They are missing in the browser,
 * where inserted inline scripts wouldn't run.
 */
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

/** Returns the picture's sources, for code that preloads it. */
export function createHeroSources(src: string, pictures: Pictures, title: string): ImageSources {
  const placement = createPlacement(findPortraitLayout(src, pictures, title));
  return createSources(src, { pictures, ...placement });
}

/**
 * Returns the hero's attributes for style sheets. For a picture beside or above the text, they are its layout
 * (HeroFigure.css). For a picture behind the text, they are the strength of the shade between both (Hero.css).
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
