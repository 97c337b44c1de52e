/**
 * Decides where a hero shows a picture of a person: beside the text or above the text, so that no text covers the face.
 * A wide picture without a marked face is shown behind the text.
 */
import { type Picture, computeObjectPosition, type Point } from "../pictures/pictures.ts";

/** The placement of a hero's picture, for HeroFigure.css. */
export interface PortraitLayout {
  /** An "upright" (tall or square) picture is beside the text on wide screens, a "wide" picture only on low screens. */
  readonly orientation: "upright" | "wide";
  /** True if the picture is left of the text, since on the right the face would look away from the text. */
  readonly isMirrored: boolean;
  /** True if the picture's upper edge is so light that it would look like fog on a dark page. */
  readonly hasLightEdge: boolean;
  /** The picture's aspect ratio, width to height. */
  readonly ratio: number;
  /** The CSS `object-position` of the picture, in percent. */
  readonly position: Point;
}

/** The aspect ratio above which a picture is wide. */
const MIN_WIDE_RATIO = 1.2;
/** The position of the face, in percent from the left, beyond which a wide picture has space for the text. */
const MIN_BACKGROUND_FACE_X_PERCENT = 55;
/** A face farther to the left than this percentage is assumed to look to the right. */
const MAX_LEFT_FACE_X_PERCENT = 38;
/** The assumed position of the face in a tall or square picture whose face isn't marked. */
const DEFAULT_FACE: Point = { x: 50, y: 30 };
/** An edge that is lighter than this gray (0 to 255; a luminance of 0.7) counts as light. */
const MIN_LIGHT_EDGE_GRAY = 217;

/** Returns the placement of a hero's picture; undefined if the picture is shown behind the text. */
export function createPortraitLayout(
  picture: Picture | undefined,
  textSide: "left" | "right",
): PortraitLayout | undefined {
  if (!picture?.width || !picture.height) return undefined;
  const ratio = picture.width / picture.height;
  const isWide = ratio > MIN_WIDE_RATIO;
  const { focus } = picture;
  if (isWide && (!focus || focus.x > MIN_BACKGROUND_FACE_X_PERCENT)) return undefined;
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

/** Returns the position that shows the owner's crop for tall screens, or without a crop the face and the hair. */
function computePortraitPosition({ cuts, focus }: Picture, face: Point): Point {
  if (cuts?.heroTall) {
    const { x, y } = computeObjectPosition(cuts.heroTall, focus);
    return { x, y };
  }
  return { x: face.x, y: Math.min(100, Math.max(0, 2 * (face.y - 25))) };
}

/** Returns the mean gray of a picture's upper edge from its brightness (scrim.ts); undefined if unmeasured. */
export function computeTopEdgeGray(light: string): number | undefined {
  // The first row of `light`: twelve cells, each with the 10th and the 90th percentile of gray.
  const grays = Array.from(light.slice(0, 24), (digit) => 17 * Number.parseInt(digit, 16));
  if (grays.length < 24) return undefined;
  return Math.round(grays.reduce((sum, gray) => sum + gray, 0) / grays.length);
}
