/** Finds out whether a see-through picture, a logo most of the time, is drawn dark or light. */
import { pixelsOf } from "./pixelsOf.ts";

/** Empty when next to nothing shows through. */
export type Tone = "dark" | "light" | "";

/** The miniature's longer side, in pixels. */
const SIDE = 48;
/** The share of the area that must show through; corners that were rounded are less. */
const SEE_THROUGH = 0.1;

/** The tone of what is drawn, each spot weighed by its opacity. */
export async function toneOf(
  image: Bun.Image,
  { width, height }: { width: number; height: number },
): Promise<Tone> {
  const scale = SIDE / Math.max(width, height);
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  const pixels = await pixelsOf(image.resize(columns!, rows!), columns!);
  let [opacity, light] = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]! / 255;
    opacity += alpha;
    light += alpha * greyOf(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!);
  }
  if (opacity === 0 || opacity > (1 - SEE_THROUGH) * (pixels.length / 4)) return "";
  return light / opacity < 0.5 ? "dark" : "light";
}

/** The grey from 0 to 1 that CSS's grayscale() makes of a colour (Filter Effects §6.1). */
function greyOf(red: number, green: number, blue: number): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}
