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
 * The placement of a picture that covers the screen. On an upright screen the picture is wider than the screen and half
 * of it is out of sight. A width for 85 % of the height is sharp enough there.
 */
const FULL_SCREEN_PLACEMENT = {
  sizes: "(orientation: portrait) 85vh, 100vw",
  crop: { wide: "heroWide", tall: "heroTall" },
} as const;

/** Returns the placement of the picture. The widths of a portrait are those in HeroFigure.css. */
function createPlacement(portraitLayout: PortraitLayout | undefined) {
  if (!portraitLayout) return FULL_SCREEN_PLACEMENT;
  const { orientation, ratio } = portraitLayout;
  if (orientation === "wide") return { sizes: "100vw" };
  const height = `${Math.round(100 * ratio)}vh`;
  return { sizes: `(min-width: 768px) and (min-aspect-ratio: 6/5) min(54vw, ${height}), 100vw` };
}

/** Returns the layout of a portrait. The title decides whether the text begins at the left. */
const findPortraitLayout = (src: string, pictures: Pictures, title: string) =>
  createPortraitLayout(pictures[src], isRightToLeft(title) ? "right" : "left");

interface HeroPictureProps {
  readonly src: string;
  readonly pictures: Pictures;
  readonly title: string;
  /** Whether the hero tracks the picture's state. */
  readonly isTracked?: boolean;
}

/**
 * The picture. On the server it is followed by the inline code that waits for it. In the browser that code is missing,
 * since it wouldn't run in a page that a script creates.
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
 * Returns the hero's attributes for its style sheet: the layout of a picture beside the text (HeroFigure.css), or the
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
