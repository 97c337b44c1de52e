/** The names of files in the uploads folder. The server creates them, and ignores all others. */

const ORIGINAL = /^[0-9a-f]{32}\.(jpg|png|webp|gif)$/;
const VARIANT = /^[0-9a-f]{32}-\d{2,4}\.webp$/;

export const isOriginalName = (name: string) => ORIGINAL.test(name);
export const isVariantName = (name: string) => VARIANT.test(name);

/** The name of a picture's copy at a width in pixels. */
export function variantName(original: string, width: number): string {
  return `${stemOf(original)}-${width}.webp`;
}

/** The part shared by an original and its variants. */
export function stemOf(name: string): string {
  return name.slice(0, 32);
}

/**
 * The extension of an unlisted original: not listed yet, or no longer. Other unlisted files in the folder aren't ours
 * to remove.
 */
export const UNLISTED = ".unlisted";
/** For releases that only hid removed ones. */
const REMOVED = ".removed";

/** The possible names of an original: its own, and those of an unlisted one. */
export const namesOf = (original: string) => [original, original + UNLISTED, original + REMOVED];

/** The original of a hidden file; undefined for all other names. */
export function hiddenBy(name: string): string | undefined {
  const ending = [UNLISTED, REMOVED].find((each) => name.endsWith(each));
  const original = ending && name.slice(0, -ending.length);
  return original && isOriginalName(original) ? original : undefined;
}
