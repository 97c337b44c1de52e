/** The names of picture files. The server generates all names, and ignores files with other names. */

const ORIGINAL_NAME_PATTERN = /^[0-9a-f]{32}\.(jpg|png|webp|gif)$/;
const VARIANT_NAME_PATTERN = /^[0-9a-f]{32}-(?:\d{2,4}\.webp|1088\.(?:jpg|png))$/;

export const isOriginalName = (name: string) => ORIGINAL_NAME_PATTERN.test(name);
export const isVariantName = (name: string) => VARIANT_NAME_PATTERN.test(name);

export function createVariantName(original: string, width: number): string {
  return `${getPictureStem(original)}-${width}.webp`;
}

/** Returns the part of a file name that an original and its variants share: 32 hexadecimal digits. */
export function getPictureStem(name: string): string {
  return name.slice(0, 32);
}

/** The extension that an original has while it isn't in the list of pictures. */
export const UNLISTED_EXTENSION = ".unlisted";

/** Returns an original's names: the first while it is in the list of pictures, else the second. */
export const listOriginalNames = (original: string) => [original, original + UNLISTED_EXTENSION];

/** Removes `UNLISTED_EXTENSION` from the name of an unlisted original. Undefined for all other names. */
export function findOriginalName(name: string): string | undefined {
  const original = name.endsWith(UNLISTED_EXTENSION)
    ? name.slice(0, -UNLISTED_EXTENSION.length)
    : "";
  return isOriginalName(original) ? original : undefined;
}
