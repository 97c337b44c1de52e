/** Decides what a file is by its first bytes, and walks its blocks to the end. */
import { latin1 } from "./bytes.ts";
import { gifStructure } from "./gifStructure.ts";
import { ImageRefused } from "./imageRefused.ts";
import type { ImageStructure } from "./imageStructure.ts";
import { jpegStructure } from "./jpegStructure.ts";
import { pngStructure } from "./pngStructure.ts";
import { webpStructure } from "./webpStructure.ts";

type Parser = (bytes: Uint8Array<ArrayBuffer>) => ImageStructure;

const FORMATS: { matches: (start: string) => boolean; parse: Parser }[] = [
  { matches: (start) => start.startsWith("\xff\xd8\xff"), parse: jpegStructure },
  { matches: (start) => start.startsWith("\x89PNG\r\n\x1a\n"), parse: pngStructure },
  { matches: (start) => start.startsWith("RIFF") && start.endsWith("WEBP"), parse: webpStructure },
  { matches: (start) => /^GIF8[79]a/.test(start), parse: gifStructure },
];

/**
 * Reads the structure of a picture, whatever its name or declared type say.
 * @throws {ImageRefused} `wrong_type`, `damaged` or `too_many_pixels`.
 */
export function readStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  if (bytes.length === 0) throw new ImageRefused("damaged");
  const start = latin1(bytes, 0, 12);
  const format = FORMATS.find(({ matches }) => matches(start));
  if (!format) throw new ImageRefused("wrong_type");
  try {
    return format.parse(bytes);
  } catch (error) {
    // A DataView read behind the end of the file: it was cut short.
    if (error instanceof RangeError) throw new ImageRefused("damaged", error);
    throw error;
  }
}
