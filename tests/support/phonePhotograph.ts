/** A photograph like a phone's: 12 megapixels, over 5 MB, upright but stored sideways. */
import { decode, encode } from "fast-png";
import { jpegWithMetadata } from "./exif.ts";
import { picture, PHOTOGRAPH } from "./pictures.ts";

/** As stored; upright it is 3024 by 4032. */
const [WIDTH, HEIGHT] = [4032, 3024];
/** About the noise of a phone's sensor indoors. */
const GRAIN = 24;
/** EXIF: turned by 90 degrees clockwise for display. */
const HELD_UPRIGHT = 6;

/** The JPEG, with the orientation in an EXIF block. */
export async function phonePhotograph(): Promise<Uint8Array<ArrayBuffer>> {
  const large = new Bun.Image(await picture(PHOTOGRAPH)).resize(WIDTH, HEIGHT);
  const { data, channels } = decode(await large.png({ compressionLevel: 0 }).bytes());
  let random = 1;
  for (let at = 0; at < data.length; at++) {
    // Numerical Recipes' generator gives the same grain each time.
    random = (Math.imul(random, 1664525) + 1013904223) | 0;
    const value = data[at]! + ((random >>> 24) % GRAIN) - GRAIN / 2;
    data[at] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
  const grainy = encode({ width: WIDTH, height: HEIGHT, data, channels }, { zlib: { level: 0 } });
  const jpeg = await new Bun.Image(grainy).jpeg({ quality: 97 }).bytes();
  return jpegWithMetadata(jpeg, HELD_UPRIGHT);
}
