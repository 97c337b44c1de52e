/** A photograph like a phone's: 12 megapixels, over 5 MB, upright but stored sideways. */
import { decode, encode } from "fast-png";
import { addJpegMetadata } from "./exif.ts";
import { readPicture, PHOTOGRAPH } from "./pictures.ts";

/** The size as stored. Displayed upright, it is 3024 by 4032. */
const [WIDTH, HEIGHT] = [4032, 3024];
/** About as much as the noise of a phone's sensor indoors. */
const GRAIN_RANGE = 24;
/** EXIF: turned by 90 degrees clockwise for display. */
const ROTATED_CLOCKWISE = 6;

/** Creates the JPEG, with the orientation in an EXIF block. */
export async function createPhonePhotograph(): Promise<Uint8Array<ArrayBuffer>> {
  const large = new Bun.Image(await readPicture(PHOTOGRAPH)).resize(WIDTH, HEIGHT);
  const { data, channels } = decode(await large.png({ compressionLevel: 0 }).bytes());
  let randomState = 1;
  for (let at = 0; at < data.length; at++) {
    // The generator of Numerical Recipes gives the same grain each time.
    randomState = (Math.imul(randomState, 1664525) + 1013904223) | 0;
    const value = data[at]! + ((randomState >>> 24) % GRAIN_RANGE) - GRAIN_RANGE / 2;
    data[at] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
  const grainy = encode({ width: WIDTH, height: HEIGHT, data, channels }, { zlib: { level: 0 } });
  const jpeg = await new Bun.Image(grainy).jpeg({ quality: 97 }).bytes();
  return addJpegMetadata(jpeg, ROTATED_CLOCKWISE);
}
