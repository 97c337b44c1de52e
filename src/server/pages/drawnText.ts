/** Draws words without a browser: the fonts' outlines as how much of each pixel they cover. */
import { join } from "node:path";
import {
  cataloguedFont,
  OUTLINED_WEIGHTS,
  type Outlines,
  OUTLINES_FOLDER,
  outlinesFile,
  WIDEST_FAMILY,
} from "./fontCatalogue.ts";
import type { WebBuild } from "./webBuild.ts";

/** The letters of a family at the weight nearest to this; undefined for a family that the site doesn't carry. */
export async function loadOutlines(
  { fonts, directory }: WebBuild,
  family: string,
  weight: number,
): Promise<Outlines | undefined> {
  if (!cataloguedFont(fonts, family)) return undefined;
  const [nearest] = OUTLINED_WEIGHTS.toSorted(
    (a, b) => Math.abs(a - weight) - Math.abs(b - weight),
  );
  const file = Bun.file(join(directory, OUTLINES_FOLDER, outlinesFile(family, nearest!)));
  return JSON.parse(Buffer.from(Bun.gunzipSync(await file.bytes())).toString()) as Outlines;
}

/** The letters that a text is drawn in: the family's own, or those of the widest where they have more of it. */
export async function lettersFor(
  build: WebBuild,
  text: string,
  family: string,
  weight: number,
): Promise<Outlines> {
  const own = await loadOutlines(build, family, weight);
  if (own && drawable(text, own) === text) return own;
  // The one weight of a display face is as heavy as a text face's bold.
  const widest = (await loadOutlines(build, WIDEST_FAMILY, weight === 400 ? 700 : weight))!;
  return own && drawable(text, own).length >= drawable(text, widest).length ? own : widest;
}

/** Words in the letters there are; the size of a letter and the space after each are in pixels. */
export interface Words {
  readonly text: string;
  readonly font: Outlines;
  readonly size: number;
  readonly spacing?: number;
}

/** What of a text can be drawn: letters that the font has. Empty when most of it is in another script. */
export function drawable(text: string, { glyphs }: Outlines): string {
  const characters = [...text.normalize("NFC")];
  const known = characters.filter((each) => Object.hasOwn(glyphs, each));
  return known.length * 2 < characters.length ? "" : known.join("").replace(/\s+/g, " ").trim();
}

/** In the units of `size`, kerning and spacing included; every letter must be among the font's outlines. */
export function widthOf({ text, font, size, spacing = 0 }: Words): number {
  const characters = [...text];
  const units = characters.reduce((sum, each, at) => {
    const kern = font.kern[each + (characters[at + 1] ?? "")] ?? 0;
    return sum + font.glyphs[each]![0] + kern;
  }, 0);
  return (units * size) / font.em + spacing * characters.length;
}

/** How much of each pixel is covered, from 0 to 1, row by row. */
export class Coverage {
  readonly width: number;
  readonly height: number;
  /** What each line adds to the pixels right of it; `values` sums it up. */
  readonly #edges: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#edges = new Float32Array(width * height + 2);
  }

  /** Adds words whose first letter stands at x on the line y. */
  write({ text, font, size, spacing = 0 }: Words, x: number, y: number): void {
    const scale = size / font.em;
    const characters = [...text];
    let pen = x;
    for (const [at, each] of characters.entries()) {
      const [advance, path] = font.glyphs[each]!;
      this.#outline(path, pen, y, scale);
      const kern = font.kern[each + (characters[at + 1] ?? "")] ?? 0;
      pen += (advance + kern) * scale + spacing;
    }
  }

  values(): Float32Array {
    const { width, height } = this;
    const values = new Float32Array(width * height);
    for (let row = 0; row < height; row += 1) {
      let sum = 0;
      for (let at = row * width; at < (row + 1) * width; at += 1) {
        sum += this.#edges[at]!;
        values[at] = Math.min(1, Math.abs(sum));
      }
    }
    return values;
  }

  #outline(path: string, x: number, y: number, scale: number): void {
    let [startX, startY, fromX, fromY] = [0, 0, 0, 0];
    const line = (toX: number, toY: number) => {
      this.#line(fromX, fromY, toX, toY);
      [fromX, fromY] = [toX, toY];
    };
    for (const [, command, given] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
      const numbers = [...given!.matchAll(/-?\d+/g)].map(([number]) => Number(number));
      const at = numbers.map((each, index) => (index % 2 ? y - each * scale : x + each * scale));
      if (command === "M") [startX, startY, fromX, fromY] = [at[0]!, at[1]!, at[0]!, at[1]!];
      else if (command === "Z") line(startX, startY);
      else for (const [toX, toY] of flattened([fromX, fromY, ...at])) line(toX, toY);
    }
  }

  /** The signed area right of a line, pixel by pixel (as in font-rs and FreeType's smooth rasterizer). */
  #line(x0: number, y0: number, x1: number, y1: number): void {
    if (y0 === y1) return;
    const [sign, topX, topY, footX, footY] = y0 < y1 ? [1, x0, y0, x1, y1] : [-1, x1, y1, x0, y0];
    const slope = (footX! - topX!) / (footY! - topY!);
    const last = Math.min(this.height, Math.ceil(footY!));
    for (let row = Math.max(0, Math.floor(topY!)); row < last; row += 1) {
      const [from, to] = [Math.max(row, topY!), Math.min(row + 1, footY!)];
      const share = sign! * (to - from);
      const ends = [topX! + (from - topY!) * slope, topX! + (to - topY!) * slope];
      this.#spread(row, Math.min(...ends), Math.max(...ends), share);
    }
  }

  #spread(row: number, left: number, right: number, share: number): void {
    const { width } = this;
    const [first, last] = [clamped(Math.floor(left), width), clamped(Math.ceil(right), width)];
    const at = row * width;
    if (last <= first + 1) {
      const middle = Math.min(1, Math.max(0, (left + right) / 2 - first));
      this.#edges[at + first]! += share * (1 - middle);
      if (first + 1 < width) this.#edges[at + first + 1]! += share * middle;
      return;
    }
    // What lies right of the line grows from column to column as the line goes down through them.
    let before = 0;
    for (let column = first; column <= Math.min(last, width - 1); column += 1) {
      const covered = share * rightOf(left, right, column);
      this.#edges[at + column]! += covered - before;
      before = covered;
    }
  }
}

const clamped = (column: number, width: number) => Math.min(width - 1, Math.max(0, column));

/** How much of a column lies right of a line that runs from `left` to `right`, from 0 to 1. */
function rightOf(left: number, right: number, column: number): number {
  const until = (x: number) => {
    const inside = Math.min(right, Math.max(left, x)) - left;
    return inside ** 2 / (2 * (right - left)) + Math.max(0, x - right);
  };
  return until(column + 1) - until(column);
}

const STEPS = 8;

/** A straight line, or a curve with one or two points between, as points after its start. */
function flattened(points: readonly number[]): [number, number][] {
  if (points.length === 4) return [[points[2]!, points[3]!]];
  return Array.from({ length: STEPS }, (_, step) => {
    const share = (step + 1) / STEPS;
    let left = points;
    // De Casteljau: between the points, until one is left.
    while (left.length > 2)
      left = left.slice(2).map((value, at) => left[at]! + (value - left[at]!) * share);
    return [left[0]!, left[1]!];
  });
}
