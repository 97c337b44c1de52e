/**
 * How a first screen holds a picture with somebody in it, so that nothing is written on a face: the picture stands
 * beside the words or above them. What isn't known to hold a face stays a stage that is written on.
 */
import { type Picture, placingOf, type Point } from "./pictures.ts";

/** What HeroFigure.css asks for. */
export interface Figure {
  /** Upright ones stand beside the words where the screen is wide, wide ones above them on any. */
  readonly shape: "upright" | "wide";
  /** The picture stands at the left: its face would look out of the page at the right. */
  readonly isMirrored: boolean;
  /** Its edge is so light that it can't fade into a dark page but through fog. */
  readonly hasLightRim: boolean;
  /** Width to height. */
  readonly ratio: number;
  /** `object-position`, in percent. */
  readonly at: Point;
}

/** From here on a picture is wide. */
const WIDE = 1.2;
/** In percent: a face that is right of it leaves a stage's words their room. */
const ROOM_FOR_WORDS = 55;
/** In percent: a face that is left of it looks out of the left edge. */
const AT_LEFT = 38;
/** An upright picture is a portrait also where nobody has tapped its face. */
const USUAL_FACE: Point = { x: 50, y: 30 };
/** As a gray from 0 to 255: luminance .7. */
const LIGHT = 217;

/** How a hero holds a picture under a title that `begins` at one side; undefined where it is a stage. */
export function figureOf(
  picture: Picture | undefined,
  begins: "left" | "right",
): Figure | undefined {
  if (!picture?.width || !picture.height) return undefined;
  const ratio = picture.width / picture.height;
  const isWide = ratio > WIDE;
  const { focus } = picture;
  if (isWide && (!focus || focus.x > ROOM_FOR_WORDS)) return undefined;
  const face = focus ?? USUAL_FACE;
  const isAtLeft = begins === "left" ? face.x < AT_LEFT : face.x <= 100 - AT_LEFT;
  return {
    shape: isWide ? "wide" : "upright",
    isMirrored: !isWide && isAtLeft,
    hasLightRim: (picture.rim ?? 0) > LIGHT,
    ratio,
    at: positionOf(picture, face),
  };
}

/** As the owner has cut it for an upright screen; else the face with what is above it, which is hair. */
function positionOf({ cuts, focus }: Picture, face: Point): Point {
  if (cuts?.heroTall) {
    const { x, y } = placingOf(cuts.heroTall, focus);
    return { x, y };
  }
  return { x: face.x, y: Math.min(100, Math.max(0, 2 * (face.y - 25))) };
}

/** The mean gray of a picture's upper edge, read from its measured light (veil.ts); undefined without. */
export function rimOf(light: string): number | undefined {
  // Twelve patches, each with the gray of its darkest and of its lightest tenth.
  const grays = Array.from(light.slice(0, 24), (digit) => 17 * Number.parseInt(digit, 16));
  if (grays.length < 24) return undefined;
  return Math.round(grays.reduce((sum, gray) => sum + gray, 0) / grays.length);
}
