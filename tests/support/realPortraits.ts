/** Photographs and paintings of faces (tests/fixtures/portraits), on which no text may be. */

/** In percent of a picture's sides. */
export interface Face {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A picture with a face; several people share one box. */
export interface RealPortrait {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly face: Face;
}

const portrait = (
  name: string,
  [width, height]: [number, number],
  [left, top, right, bottom]: [number, number, number, number],
): RealPortrait => ({ name, width, height, face: { left, top, right, bottom } });

/** From 9:21 to 21:9. The boxes, from brow to chin, were drawn by eye. */
export const REAL_PORTRAITS: readonly RealPortrait[] = [
  portrait("hopper-narrow", [256, 598], [7, 22, 93, 67]),
  portrait("cameraman", [288, 512], [36, 19, 66, 42]),
  portrait("mauve", [337, 600], [36, 20, 62, 40]),
  portrait("collins-left", [340, 510], [14, 10, 43, 36]),
  portrait("strand-upright", [420, 630], [3, 27, 72, 67]),
  portrait("collins", [384, 512], [36, 10, 61, 36]),
  portrait("vash-gon", [475, 594], [22, 5, 78, 62]),
  portrait("morisot", [490, 600], [40, 21, 66, 46]),
  portrait("hopper", [512, 600], [30, 22, 73, 67]),
  portrait("strand", [631, 631], [2, 27, 48, 67]),
  portrait("bois", [600, 400], [20, 24, 50, 51]),
  portrait("reading", [600, 338], [48, 30, 62, 56]),
  portrait("collins-wide", [512, 288], [35, 18, 54, 64]),
  portrait("cameraman-wide", [512, 219], [38, 25, 55, 80]),
];

const FOLDER = new URL("../fixtures/portraits/", import.meta.url);

/** The JPEG of a portrait. */
export const portraitFile = ({ name }: RealPortrait) =>
  Bun.file(new URL(`${name}.jpg`, FOLDER)).bytes();
