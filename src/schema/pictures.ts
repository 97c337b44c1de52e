/** What pages need to know of an uploaded picture, and how it is cut for its place. */

/** What a page needs to show an uploaded picture without a jump, in the right size and cut. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly widths: readonly number[];
  readonly placeholder: string;
  /** "dark" or "light": how a see-through picture is drawn; empty or missing for all others. */
  readonly tone?: string;
  /** What it shows, for people who can't see it; missing for decoration. */
  readonly alt?: string;
  readonly focus?: Point | null;
  readonly cuts?: Cuts | null;
  /** Where it is fetched, with its variants beside it; missing where that is its own address. */
  readonly at?: string;
  /** Behind a hero's words; missing where the usual shade is enough (veil.ts). */
  readonly veil?: Veil | undefined;
  /** How light its upper edge is, as a gray from 0 to 255; only of what stands behind a hero and was measured. */
  readonly rim?: number | undefined;
}

/** How much stronger than usual the shade of a hero is, from 0 to 1, on wide and on upright screens. */
export interface Veil {
  readonly wide: number;
  readonly tall: number;
}

export type Pictures = Readonly<Record<string, Picture>>;

/** The address of one WebP variant of an upload. */
export function variantUrl(url: string, width: number): string {
  return `${url.replace(/\.\w+$/, "")}-${width}.webp`;
}

/** Where in a picture, in percent of its width and height. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A piece of a picture, in percent of its width and height. */
export interface Cut extends Point {
  readonly width: number;
  readonly height: number;
}

/** Width to height of each place that pictures are cut for; the heroes' are those of usual screens. */
export const RATIOS = {
  heroWide: 16 / 9,
  heroTall: 390 / 844,
  poster: 3 / 4,
  about: 4 / 5,
} as const;

export type Place = keyof typeof RATIOS;

/** The owner's own cuts; every other place follows the focus. */
export type Cuts = Readonly<Partial<Record<Place, Cut>>>;

type Sides = Pick<Picture, "width" | "height">;

/** The piece of a place's ratio around `center`, as large as the picture allows divided by `zoom`. */
export function cutAround({ width, height }: Sides, place: Place, center: Point, zoom = 1): Cut {
  // Of a picture that is a square in percent, the place is as wide as this for its height.
  const ratio = (RATIOS[place] * height) / width;
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

/** What a place shows of a picture: the owner's cut, or what is around the focus; undefined without either. */
export function cutFor(
  picture: Sides & Pick<Picture, "cuts" | "focus">,
  place: Place,
): Cut | undefined {
  const own = picture.cuts?.[place];
  return own ?? (picture.focus ? cutAround(picture, place, picture.focus) : undefined);
}

/** How a picture that covers its frame is placed there; x and y are `object-position` in percent. */
export interface Placing extends Point {
  /** How much larger it is drawn, from that point. */
  readonly zoom: number;
}

const MIDDLE: Point = { x: 50, y: 50 };

/**
 * Shows the cut, all of it and no more in a frame of its ratio. A frame of another ratio shows more, or
 * cuts off as much at both ends; from a side that is whole it cuts off what is far from the focus.
 */
export function placingOf({ x, y, width, height }: Cut, focus: Point | null | undefined): Placing {
  const away = focus ?? MIDDLE;
  return {
    x: along(x, width, away.x),
    y: along(y, height, away.y),
    zoom: 100 / Math.max(width, height),
  };
}

function along(start: number, length: number, focus: number): number {
  return length > 99.9 ? focus : Math.min(100, Math.max(0, (100 * start) / (100 - length)));
}
