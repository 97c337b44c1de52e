/**
 * Decides where a hero places a picture of a person, so no text covers the face: beside the text or above it. A wide
 * picture without a known face remains a background.
 */
import { type Picture, computeObjectPosition, type Point } from "../pictures/pictures.ts";

/** The data for HeroFigure.css. */
export interface PortraitLayout {
  /** Upright pictures are beside the text on wide screens. Wide pictures are above the text on all screens. */
  readonly orientation: "upright" | "wide";
  /** True if the picture is on the left, since on the right its face would look out of the page. */
  readonly isMirrored: boolean;
  /** True if the picture's edge is so light that it would look like fog on a dark page. */
  readonly hasLightEdge: boolean;
  /** Width to height. */
  readonly ratio: number;
  /** `object-position`, in percent. */
  readonly position: Point;
}

/** Above this ratio a picture is wide. */
const MIN_WIDE_RATIO = 1.2;
/** In percent. A face farther to the right leaves space for the text, so the picture can be a background. */
const MIN_FACE_X_PERCENT = 55;
/** In percent. A face farther to the left is assumed to look to the right. */
const MAX_LEFT_FACE_X_PERCENT = 38;
/** An upright picture counts as a portrait even if nobody has marked its face. */
const DEFAULT_FACE: Point = { x: 50, y: 30 };
/** As a gray from 0 to 255: luminance 0.7. */
const MIN_LIGHT_EDGE_GRAY = 217;

/** Returns where a hero places a picture; undefined for a background. */
export function createPortraitLayout(
  picture: Picture | undefined,
  textSide: "left" | "right",
): PortraitLayout | undefined {
  if (!picture?.width || !picture.height) return undefined;
  const ratio = picture.width / picture.height;
  const isWide = ratio > MIN_WIDE_RATIO;
  const { focus } = picture;
  if (isWide && (!focus || focus.x > MIN_FACE_X_PERCENT)) return undefined;
  const face = focus ?? DEFAULT_FACE;
  const shouldBeOnLeft =
    textSide === "left"
      ? face.x < MAX_LEFT_FACE_X_PERCENT
      : face.x <= 100 - MAX_LEFT_FACE_X_PERCENT;
  return {
    orientation: isWide ? "wide" : "upright",
    isMirrored: !isWide && shouldBeOnLeft,
    hasLightEdge: (picture.rim ?? 0) > MIN_LIGHT_EDGE_GRAY,
    ratio,
    position: computePortraitPosition(picture, face),
  };
}

/** Returns the position that shows the owner's crop for upright screens, else the face and the hair above it. */
function computePortraitPosition({ cuts, focus }: Picture, face: Point): Point {
  if (cuts?.heroTall) {
    const { x, y } = computeObjectPosition(cuts.heroTall, focus);
    return { x, y };
  }
  return { x: face.x, y: Math.min(100, Math.max(0, 2 * (face.y - 25))) };
}

/** The mean gray of a picture's upper edge, from its measured brightness (scrim.ts); undefined if unmeasured. */
export function computeTopEdgeGray(light: string): number | undefined {
  // The first row of `light`: twelve patches, each with the 10th and the 90th percentile of gray.
  const grays = Array.from(light.slice(0, 24), (digit) => 17 * Number.parseInt(digit, 16));
  if (grays.length < 24) return undefined;
  return Math.round(grays.reduce((sum, gray) => sum + gray, 0) / grays.length);
}
