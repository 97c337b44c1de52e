/** The data that pages need about an uploaded picture, and how it is cropped. */

/** The data to show a picture without layout shifts, in the right size and crop. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly widths: readonly number[];
  readonly placeholder: string;
  /** "dark" or "light" for a transparent picture; empty or missing for others. */
  readonly tone?: string;
  /** A description for people who can't see it; missing for decoration. */
  readonly alt?: string;
  readonly focus?: Point | null;
  readonly cuts?: Crops | null;
  /** The URL to load it from, with its variants beside it; missing if it is the picture's own. */
  readonly at?: string;
  /** For the text on a hero; missing where the default shade is enough (scrim.ts). */
  readonly veil?: Scrim | undefined;
  /** The brightness of its upper edge, as a gray from 0 to 255; only for a measured hero background. */
  readonly rim?: number | undefined;
}

/** The addition to the default strength of a hero's shade, from 0 to 1, on wide and on upright screens. */
export interface Scrim {
  readonly wide: number;
  readonly tall: number;
}

export type Pictures = Readonly<Record<string, Picture>>;

export function variantUrl(url: string, width: number): string {
  return `${url.replace(/\.\w+$/, "")}-${width}.webp`;
}

/** A point in a picture, in percent of its width and height. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A part of a picture, in percent of its width and height. */
export interface Crop extends Point {
  readonly width: number;
  readonly height: number;
}

/** The aspect ratios that pictures are cropped to; the heroes' are those of common screens. */
export const CROP_RATIOS = {
  heroWide: 16 / 9,
  heroTall: 390 / 844,
  poster: 3 / 4,
  about: 4 / 5,
} as const;

export type CropRatio = keyof typeof CROP_RATIOS;

/** The owner's own crops; every other place follows the focus. */
export type Crops = Readonly<Partial<Record<CropRatio, Crop>>>;

type Sides = Pick<Picture, "width" | "height">;

/** The crop with a place's ratio around `center`: the largest possible, divided by `zoom`. */
export function cropAround(
  { width, height }: Sides,
  ratioName: CropRatio,
  center: Point,
  zoom = 1,
): Crop {
  // The place's width for its height, in a picture scaled to 100 % by 100 %.
  const ratio = (CROP_RATIOS[ratioName] * height) / width;
  const size = {
    width: Math.min(100, 100 * ratio) / zoom,
    height: Math.min(100, 100 / ratio) / zoom,
  };
  return {
    x: Math.min(Math.max(center.x - size.width / 2, 0), 100 - size.width),
    y: Math.min(Math.max(center.y - size.height / 2, 0), 100 - size.height),
    ...size,
  };
}

/** The crop for a place: the owner's, or around the focus; undefined without either. */
export function cropFor(
  picture: Sides & Pick<Picture, "cuts" | "focus">,
  ratio: CropRatio,
): Crop | undefined {
  const customCrop = picture.cuts?.[ratio];
  return customCrop ?? (picture.focus ? cropAround(picture, ratio, picture.focus) : undefined);
}

/** A picture's position in a frame that it covers; x and y are `object-position` in percent. */
export interface ObjectPosition extends Point {
  /** The scale, with that point as its origin. */
  readonly zoom: number;
}

const MIDDLE: Point = { x: 50, y: 50 };

/**
 * Shows exactly the crop in a frame of its ratio. A frame of another ratio shows more, or cuts off the same at both
 * ends; along a side that isn't cropped, it cuts off what is far from the focus.
 */
export function objectPositionOf(
  { x, y, width, height }: Crop,
  focus: Point | null | undefined,
): ObjectPosition {
  const focalPoint = focus ?? MIDDLE;
  return {
    x: along(x, width, focalPoint.x),
    y: along(y, height, focalPoint.y),
    zoom: 100 / Math.max(width, height),
  };
}

function along(start: number, length: number, focus: number): number {
  return length > 99.9 ? focus : Math.min(100, Math.max(0, (100 * start) / (100 - length)));
}
