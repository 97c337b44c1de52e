/** Reads which way up a camera held a picture, from the EXIF block it wrote. */
import { latin1, viewOf } from "./bytes.ts";

const ORIENTATION_TAG = 0x0112;
const ENTRY_BYTES = 12;

/**
 * The orientation (1 to 8) in an EXIF block, with or without its `Exif\0\0` lead.
 * A block that makes no sense counts as upright: it is thrown away in any case.
 */
export function exifOrientation(block: Uint8Array): number {
  const tiff = latin1(block, 0, 4) === "Exif" ? block.subarray(6) : block;
  try {
    const value = orientationEntry(viewOf(tiff));
    return value >= 1 && value <= 8 ? value : 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

function orientationEntry(view: DataView): number {
  const littleEndian = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, littleEndian);
  const entries = view.getUint16(directory, littleEndian);
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * ENTRY_BYTES;
    if (view.getUint16(entry, littleEndian) === ORIENTATION_TAG)
      return view.getUint16(entry + 8, littleEndian);
  }
  return 1;
}
