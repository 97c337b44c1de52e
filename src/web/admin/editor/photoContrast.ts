/**
 * How well the hero's words read on its photo: measured on the pixels behind them, under the shade that
 * site/sections/Hero.css lays over a picture. Fetched when there is a photo to measure.
 */
import { contrastRatio } from "../../../schema/contrast.ts";
import type { Content } from "../../../schema/index.ts";
import type { Point } from "../../../schema/pictures.ts";
import { hexChannels, hexOf } from "./hex.ts";

type Styles = Content<"styles">;
type Rgb = readonly number[];

/** Pixels in rows, four bytes each, as a canvas gives them. */
export interface Pixels {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

/** A screen, and where on it the words stand, in shares of its width and height. */
interface Screen {
  readonly width: number;
  readonly height: number;
  readonly words: { readonly left: number; readonly right: number; readonly top: number };
}

const SCREENS: readonly Screen[] = [
  { width: 1366, height: 768, words: { left: 0.05, right: 0.6, top: 0.55 } },
  { width: 390, height: 844, words: { left: 0.05, right: 0.95, top: 0.6 } },
];

/** Where the words end, as a share of the height. */
const FOOT = 0.95;

/** Enough to tell light from dark, and quick on a phone. */
const MEASURED_WIDTH = 96;

/** What a picture shows without a point of its own (Hero.css). */
const USUAL: Point = { x: 66, y: 20 };

/**
 * The contrast that nine tenths of what is behind the words reach on a computer and on a phone; undefined where
 * the words stand beside the photo, or where the photo can't be read. `address` is one of this site's.
 */
export async function contrastOnPhoto(
  address: string,
  focus: Point | null,
  styles: Styles,
): Promise<number | undefined> {
  if (styles.heroLayout === "split" || styles.heroLayout === "card") return undefined;
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
    return Math.min(
      ...SCREENS.map((screen) => leastContrast(cutFor(image, screen, focus), screen, styles)),
    );
  } catch {
    return undefined;
  }
}

/** The photo as it covers a screen, small. Throws when the browser gives no canvas. */
function cutFor(image: HTMLImageElement, screen: Screen, focus: Point | null): Pixels {
  const width = MEASURED_WIDTH;
  const height = Math.round((width * screen.height) / screen.width);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d", { willReadFrequently: true })!;
  const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight);
  const [cutWidth, cutHeight] = [width / scale, height / scale];
  const { x, y } = focus ?? USUAL;
  const left = ((image.naturalWidth - cutWidth) * x) / 100;
  const top = ((image.naturalHeight - cutHeight) * y) / 100;
  pen.drawImage(image, left, top, cutWidth, cutHeight, 0, 0, width, height);
  return pen.getImageData(0, 0, width, height);
}

/** The contrast of the words with the tenth of the shaded pixels behind them that is hardest to read on. */
export function leastContrast(
  { data, width, height }: Pixels,
  { words }: Pick<Screen, "words">,
  styles: Styles,
): number {
  const ink = styles.heroTextColor ?? styles.textColor;
  const shades = shadesOf(styles);
  const found: number[] = [];
  for (let y = Math.floor(height * words.top); y < height * FOOT; y += 1)
    for (let x = Math.floor(width * words.left); x < width * words.right; x += 1) {
      const at = 4 * (y * width + x);
      const pixel = toned([data[at]!, data[at + 1]!, data[at + 2]!], styles);
      const behind = shaded(pixel, (x + 0.5) / width, 1 - (y + 0.5) / height, shades);
      found.push(contrastRatio(ink, hexOf(behind)) ?? 21);
    }
  found.sort((a, b) => a - b);
  return found[Math.floor(found.length / 10)] ?? 21;
}

/** A stop of a gradient: how far along, which color, how opaque. */
type Stop = readonly [at: number, color: Rgb, opacity: number];

interface Shades {
  readonly fromLeft: readonly Stop[];
  readonly fromBelow: readonly Stop[];
}

/** The two gradients of Hero.css. */
function shadesOf({ heroBackgroundColor, toneMiddle }: Styles): Shades {
  const shade = hexChannels(heroBackgroundColor);
  const film = between(shade, hexChannels(toneMiddle), 0.3);
  return {
    fromLeft: [
      [0, shade, 0.72],
      [0.38, shade, 0.28],
      [0.62, shade, 0],
    ],
    fromBelow: [
      [0.03, shade, 1],
      [0.25, film, 0.76],
      [0.52, film, 0.3],
      [0.74, film, 0],
    ],
  };
}

function shaded(pixel: Rgb, across: number, up: number, { fromLeft, fromBelow }: Shades): Rgb {
  return [
    [fromLeft, across],
    [fromBelow, up],
  ].reduce((below, [stops, at]) => {
    const [color, opacity] = stopAt(stops as readonly Stop[], at as number);
    return between(below, color, opacity);
  }, pixel);
}

function stopAt(stops: readonly Stop[], at: number): readonly [Rgb, number] {
  const next = stops.findIndex(([place]) => place >= at);
  if (next === -1) return [stops.at(-1)![1], stops.at(-1)![2]];
  const [place, color, opacity] = stops[next]!;
  if (next === 0) return [color, opacity];
  const [from, before, less] = stops[next - 1]!;
  const share = (at - from) / (place - from);
  return [between(before, color, share), less + (opacity - less) * share];
}

const between = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((channel, at) => channel + (to[at]! - channel) * share);

/** The pixel as it is shown: in one tone, from dark over middle to light. */
function toned(pixel: Rgb, { pictures, toneShadow, toneMiddle, toneLight }: Styles): Rgb {
  if (pictures === "asShot") return pixel;
  const gray = (0.5 * pixel[0]! + 0.45 * pixel[1]! + 0.25 * pixel[2]!) / 255 / 1.2;
  const [shadow, middle, light] = [toneShadow, toneMiddle, toneLight].map(hexChannels);
  return gray < 0.5 ? between(shadow!, middle!, gray * 2) : between(middle!, light!, gray * 2 - 1);
}
