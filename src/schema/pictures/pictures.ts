/** The data that pages need about an uploaded picture, and how it is cropped. */

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly widths: readonly number[];
  readonly placeholder: string;
  /** The tone of a transparent picture, "dark" or "light"; empty or missing for other pictures. */
  readonly tone?: string;
  /** The alternative text; missing for a decorative picture. */
  readonly alt?: string;
  readonly focus?: Point | null;
  readonly cuts?: Crops | null;
  /** The URL from which the picture and its variants are loaded; default: the picture's own URL. */
  readonly at?: string;
  /** The additional shade for a hero's text on the picture (scrim.ts); missing if the default shade is enough. */
  readonly veil?: Scrim | undefined;
  /** The mean gray of the upper edge, from 0 to 255; missing except for a measured background of a hero. */
  readonly rim?: number | undefined;
}

/** The strength of the additional shade over a hero's picture, from 0 to 1, on wide and on tall screens. */
export interface Scrim {
  readonly wide: number;
  readonly tall: number;
}

export type Pictures = Readonly<Record<string, Picture>>;

export function createVariantUrl(url: string, width: number): string {
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

/** The aspect ratios of crops, width to height. The ratios of heroes are those of common screens. */
export const CROP_RATIOS = {
  heroWide: 16 / 9,
  heroTall: 390 / 844,
  poster: 3 / 4,
  about: 4 / 5,
} as const;

export type CropName = keyof typeof CROP_RATIOS;

/** The crops that an owner has set. A missing crop is derived from the focus. */
export type Crops = Readonly<Partial<Record<CropName, Crop>>>;

type PictureSize = Pick<Picture, "width" | "height">;

/** Returns the largest crop of this ratio, divided by `zoom`, as close to `center` as possible. */
export function createCropAround(
  { width, height }: PictureSize,
  cropName: CropName,
  center: Point,
  zoom = 1,
): Crop {
  // The crop's width in percent of the picture's width, divided by its height in percent of the picture's height.
  const ratio = (CROP_RATIOS[cropName] * height) / width;
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

/** Returns the crop of this ratio: the owner's, else one around the focus. Undefined without crop and focus. */
export function findCrop(
  picture: PictureSize & Pick<Picture, "cuts" | "focus">,
  cropName: CropName,
): Crop | undefined {
  const customCrop = picture.cuts?.[cropName];
  return (
    customCrop ?? (picture.focus ? createCropAround(picture, cropName, picture.focus) : undefined)
  );
}

/** The position of a picture in a frame that it covers. `x` and `y` are the CSS `object-position` in percent. */
export interface ObjectPosition extends Point {
  /** The scale of the picture, with the position as the origin. */
  readonly zoom: number;
}

const CENTER: Point = { x: 50, y: 50 };

/**
 * Returns the position at which a frame of the crop's ratio shows exactly the crop. Other frames show more, or cut off
 * both ends. If the crop is as long as a side of the picture, the focus determines the position along this side.
 */
export function computeObjectPosition(
  { x, y, width, height }: Crop,
  focus: Point | null | undefined,
): ObjectPosition {
  const focalPoint = focus ?? CENTER;
  return {
    x: computeOffset(x, width, focalPoint.x),
    y: computeOffset(y, height, focalPoint.y),
    zoom: 100 / Math.max(width, height),
  };
}

function computeOffset(start: number, length: number, focus: number): number {
  return length > 99.9 ? focus : Math.min(100, Math.max(0, (100 * start) / (100 - length)));
}
