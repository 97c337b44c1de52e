/** The names of files in the uploads folder. The server creates them, and ignores all others. */

const ORIGINAL_NAME_PATTERN = /^[0-9a-f]{32}\.(jpg|png|webp|gif)$/;
const VARIANT_NAME_PATTERN = /^[0-9a-f]{32}-(?:\d{2,4}\.webp|1088\.(?:jpg|png))$/;

export const isOriginalName = (name: string) => ORIGINAL_NAME_PATTERN.test(name);
export const isVariantName = (name: string) => VARIANT_NAME_PATTERN.test(name);

/** The name of a picture's variant with a width in pixels. */
export function createVariantName(original: string, width: number): string {
  return `${getPictureStem(original)}-${width}.webp`;
}

/** The part of the name that an original and its variants share. */
export function getPictureStem(name: string): string {
  return name.slice(0, 32);
}

/** The extension of an original that isn't in the list of pictures. */
export const UNLISTED_EXTENSION = ".unlisted";

/** The names under which an original may be stored: while it is in the list of pictures, and while it isn't. */
export const listOriginalNames = (original: string) => [original, original + UNLISTED_EXTENSION];

/** The name of an unlisted original without `UNLISTED_EXTENSION`; undefined for all other names. */
export function findOriginalName(name: string): string | undefined {
  const original = name.endsWith(UNLISTED_EXTENSION)
    ? name.slice(0, -UNLISTED_EXTENSION.length)
    : "";
  return isOriginalName(original) ? original : undefined;
}
