/** Computes crops. All coordinates are in percent of the picture. */
import {
  type Crop,
  createCropAround,
  findCrop,
  type Picture,
  type CropName,
  type Point,
  CROP_RATIOS,
} from "../../../schema/pictures/pictures.ts";

export const CROP_RATIO_LABELS: Readonly<Record<CropName, string>> = {
  heroWide: "Hero, landscape",
  heroTall: "Hero, portrait",
  poster: "Poster",
  about: "About",
};

export const CROP_RATIO_NAMES = Object.keys(CROP_RATIO_LABELS) as CropName[];

/** A crop with fewer pixels may look blurry. */
const MIN_SHARP_WIDTHS_PX: Readonly<Record<CropName, number>> = {
  heroWide: 1600,
  heroTall: 780,
  poster: 600,
  about: 700,
};

/** Hero.css and Poster.css have the same values in `--usual-focus`. */
const DEFAULT_FOCUS_BY_RATIO: Readonly<Record<CropName, Point>> = {
  heroWide: { x: 66, y: 20 },
  heroTall: { x: 66, y: 20 },
  poster: { x: 66, y: 30 },
  about: { x: 50, y: 50 },
};

/** Returns the owner's crop, or the default crop. */
export function findVisibleCrop(picture: Picture, cropName: CropName): Crop {
  const customCrop = findCrop(picture, cropName);
  if (customCrop) return customCrop;
  const { width, height } = createCropAround(picture, cropName, DEFAULT_FOCUS_BY_RATIO[cropName]);
  const focus = DEFAULT_FOCUS_BY_RATIO[cropName];
  return { x: (focus.x / 100) * (100 - width), y: (focus.y / 100) * (100 - height), width, height };
}

export function findBlurryRatios(picture: Picture): CropName[] {
  return CROP_RATIO_NAMES.filter(
    (ratio) =>
      (findVisibleCrop(picture, ratio).width / 100) * picture.width < MIN_SHARP_WIDTHS_PX[ratio],
  );
}

/** The minimum size of a crop, as on the server. */
const MIN_CROP_PERCENT = 10;

export type Corner = "top left" | "top right" | "bottom left" | "bottom right";

export const CORNERS: readonly Corner[] = ["top left", "top right", "bottom left", "bottom right"];

export function computeCornerPosition({ x, y, width, height }: Crop, corner: Corner): Point {
  return {
    x: corner.endsWith("right") ? x + width : x,
    y: corner.startsWith("bottom") ? y + height : y,
  };
}

/** Moves a corner of a crop as near to `target` as possible. With `axis`, uses only this coordinate of `target`. */
export function resizeCrop(
  picture: Picture,
  cropName: CropName,
  crop: Crop,
  corner: Corner,
  target: Point,
  axis?: "x" | "y",
): Crop {
  const ratio = (CROP_RATIOS[cropName] * picture.height) / picture.width;
  const isRight = corner.endsWith("right");
  const isBottom = corner.startsWith("bottom");
  const fixedCorner = {
    x: isRight ? crop.x : crop.x + crop.width,
    y: isBottom ? crop.y : crop.y + crop.height,
  };
  const widthFromX = isRight ? target.x - fixedCorner.x : fixedCorner.x - target.x;
  const widthFromY = ratio * (isBottom ? target.y - fixedCorner.y : fixedCorner.y - target.y);
  const wantedWidth = axis ? { x: widthFromX, y: widthFromY }[axis] : (widthFromX + widthFromY) / 2;
  const maxWidth = Math.min(
    isRight ? 100 - fixedCorner.x : fixedCorner.x,
    ratio * (isBottom ? 100 - fixedCorner.y : fixedCorner.y),
  );
  const minWidth = MIN_CROP_PERCENT * Math.max(1, ratio);
  const width = Math.min(maxWidth, Math.max(minWidth, wantedWidth));
  const height = width / ratio;
  return roundCrop({
    x: isRight ? fixedCorner.x : fixedCorner.x - width,
    y: isBottom ? fixedCorner.y : fixedCorner.y - height,
    width,
    height,
  });
}

export function moveCrop(crop: Crop, offset: Point): Crop {
  return roundCrop({
    ...crop,
    x: Math.min(Math.max(crop.x + offset.x, 0), 100 - crop.width),
    y: Math.min(Math.max(crop.y + offset.y, 0), 100 - crop.height),
  });
}

/** Rounds a crop to three decimals, which is finer than a pixel. */
function roundCrop({ x, y, width, height }: Crop): Crop {
  return {
    x: roundCoordinate(x),
    y: roundCoordinate(y),
    width: roundCoordinate(width),
    height: roundCoordinate(height),
  };
}

const roundCoordinate = (value: number) => Math.round(Math.max(0, value) * 1000) / 1000;

export const clampPoint = ({ x, y }: Point): Point => ({ x: clampPercent(x), y: clampPercent(y) });

const clampPercent = (value: number) => Math.round(Math.min(100, Math.max(0, value)) * 10) / 10;

/** The movement for each arrow key, in percent. */
export const STEP_BY_KEY: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
