/** Recognizes the type of a picture by its first bytes, in the browser and on the server. */
import type { UPLOAD_TYPES } from "./uploadLimits.ts";

/** The types of pictures that are accepted, and those of photos from phones, which aren't accepted. */
export type PictureType = (typeof UPLOAD_TYPES)[number] | "image/heic" | "image/avif";

/** The number of bytes at the beginning of a file that are enough to recognize its type, and most animations. */
export const SIGNATURE_BYTES = 64 * 1024;

/** Returns the type of a picture that starts with these bytes; undefined for other types. */
export function detectPictureType(bytes: Uint8Array): PictureType | undefined {
  const header = readText(bytes, 0, 12);
  if (header.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (header.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (header.startsWith("RIFF") && header.endsWith("WEBP")) return "image/webp";
  if (/^GIF8[79]a/.test(header)) return "image/gif";
  return detectPhoneType(bytes);
}

/** The brands of AVIF and HEIC files (ISO/IEC 23008-12, annex B; AV1 Image File Format, section 8). */
const AVIF_BRAND_PATTERN = /^avi[fs]/;
const HEIC_BRAND_PATTERN = /^(?:he[iv][cmsx]|mif[12]|msf1|heif)/;

function detectPhoneType(bytes: Uint8Array): PictureType | undefined {
  const brands = readBrands(bytes);
  if (brands.some((brand) => AVIF_BRAND_PATTERN.test(brand))) return "image/avif";
  return brands.some((brand) => HEIC_BRAND_PATTERN.test(brand)) ? "image/heic" : undefined;
}

const MAX_BRANDS = 32;

/** Returns the brands in a file's first box, the major brand first (ISO/IEC 14496-12, 4.3). Empty for other files. */
function readBrands(bytes: Uint8Array): string[] {
  if (readText(bytes, 4, 4) !== "ftyp") return [];
  const size = Math.min(readUint32(bytes, 0), bytes.length, 16 + 4 * MAX_BRANDS);
  const compatible = Array.from({ length: Math.max(0, (size - 16) >> 2) }, (_, index) =>
    readText(bytes, 16 + 4 * index, 4),
  );
  return [readText(bytes, 8, 4), ...compatible];
}

/** Whether a picture is an animation that isn't a GIF. Only the first frame of such an animation is stored. */
export function losesAnimation(bytes: Uint8Array): boolean {
  switch (detectPictureType(bytes)) {
    case "image/webp":
      // The flag for animations in the extended header (RFC 9649, 2.7).
      return readText(bytes, 12, 4) === "VP8X" && ((bytes[20] ?? 0) & 2) !== 0;
    case "image/png":
      return hasAnimationControl(bytes);
    case "image/avif":
    case "image/heic":
      return /^(?:avis|hevc|hevx|msf1)/.test(readText(bytes, 8, 4));
    default:
      return false;
  }
}

/** Whether a PNG has an `acTL` chunk before its pixels, as animations do (PNG specification, 3rd edition, 11.3.6.1). */
function hasAnimationControl(bytes: Uint8Array): boolean {
  for (let offset = 8; offset + 8 <= bytes.length; offset += 12 + readUint32(bytes, offset)) {
    const type = readText(bytes, offset + 4, 4);
    if (type === "acTL" || type === "IDAT") return type === "acTL";
  }
  return false;
}

const readText = (bytes: Uint8Array, offset: number, length: number) =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));

/** Returns the unsigned 32-bit number at an offset; Infinity beyond the end of the bytes. */
const readUint32 = (bytes: Uint8Array, offset: number) =>
  offset + 4 > bytes.length
    ? Infinity
    : new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset);
