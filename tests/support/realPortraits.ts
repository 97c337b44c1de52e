/** Photographs and paintings of faces (tests/fixtures/portraits), which text must not cover. */

/** The box of a face, in percent of the picture's width and height. */
export interface Face {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A picture with a face. The faces of several people share one box. */
export interface RealPortrait {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly face: Face;
}

const createPortrait = (
  name: string,
  [width, height]: [number, number],
  [left, top, right, bottom]: [number, number, number, number],
): RealPortrait => ({ name, width, height, face: { left, top, right, bottom } });

/** Portraits with aspect ratios from 9:21 to 21:9. The boxes, from brow to chin, were drawn by eye. */
export const REAL_PORTRAITS: readonly RealPortrait[] = [
  createPortrait("hopper-narrow", [256, 598], [7, 22, 93, 67]),
  createPortrait("cameraman", [288, 512], [36, 19, 66, 42]),
  createPortrait("mauve", [337, 600], [36, 20, 62, 40]),
  createPortrait("collins-left", [340, 510], [14, 10, 43, 36]),
  createPortrait("strand-upright", [420, 630], [3, 27, 72, 67]),
  createPortrait("collins", [384, 512], [36, 10, 61, 36]),
  createPortrait("vash-gon", [475, 594], [22, 5, 78, 62]),
  createPortrait("morisot", [490, 600], [40, 21, 66, 46]),
  createPortrait("hopper", [512, 600], [30, 22, 73, 67]),
  createPortrait("strand", [631, 631], [2, 27, 48, 67]),
  createPortrait("bois", [600, 400], [20, 24, 50, 51]),
  createPortrait("reading", [600, 338], [48, 30, 62, 56]),
  createPortrait("collins-wide", [512, 288], [35, 18, 54, 64]),
  createPortrait("cameraman-wide", [512, 219], [38, 25, 55, 80]),
];

const FOLDER = new URL("../fixtures/portraits/", import.meta.url);

/** Reads the JPEG of a portrait. */
export const readPortrait = ({ name }: RealPortrait) =>
  Bun.file(new URL(`${name}.jpg`, FOLDER)).bytes();
