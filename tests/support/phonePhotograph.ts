/** A photograph as a phone takes it: 12 megapixels, over 5 MB, held upright but stored on its side. */
import { decode, encode } from "fast-png";
import { jpegWithMetadata } from "./exif.ts";
import { picture, PHOTOGRAPH } from "./pictures.ts";

/** As stored; upright it is 3024 by 4032. */
const [WIDTH, HEIGHT] = [4032, 3024];
/** About what the sensor of a phone adds indoors. */
const GRAIN = 24;
/** EXIF: turned by 90 degrees clockwise to be shown. */
const HELD_UPRIGHT = 6;

/** The JPEG, with an EXIF block that says how the phone was held. */
export async function phonePhotograph(): Promise<Uint8Array<ArrayBuffer>> {
  const large = new Bun.Image(await picture(PHOTOGRAPH)).resize(WIDTH, HEIGHT);
  const { data, channels } = decode(await large.png({ compressionLevel: 0 }).bytes());
  let random = 1;
  for (let at = 0; at < data.length; at++) {
    // Numerical Recipes' generator: the same grain each time.
    random = (Math.imul(random, 1664525) + 1013904223) | 0;
    const value = data[at]! + ((random >>> 24) % GRAIN) - GRAIN / 2;
    data[at] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
  const grainy = encode({ width: WIDTH, height: HEIGHT, data, channels }, { zlib: { level: 0 } });
  const jpeg = await new Bun.Image(grainy).jpeg({ quality: 97 }).bytes();
  return jpegWithMetadata(jpeg, HELD_UPRIGHT);
}
