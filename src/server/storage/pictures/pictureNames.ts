/** The names of the files in the uploads folder. The server makes them, and looks at no others. */

const ORIGINAL = /^[0-9a-f]{32}\.(jpg|png|webp|gif)$/;
const VARIANT = /^[0-9a-f]{32}-\d{2,4}\.webp$/;

export const isOriginalName = (name: string) => ORIGINAL.test(name);
export const isVariantName = (name: string) => VARIANT.test(name);

/** The name of a picture's copy at a width in pixels. */
export function variantName(original: string, width: number): string {
  return `${stemOf(original)}-${width}.webp`;
}

/** What an original and its variants have in common. */
export function stemOf(name: string): string {
  return name.slice(0, 32);
}

/**
 * The ending of an original that isn't listed: not yet, or not any more. Whatever else lies in the folder
 * and isn't listed is not ours to remove.
 */
export const UNLISTED = ".unlisted";
/** Of releases that hid only what was removed. */
const REMOVED = ".removed";

/** The names that an original can have: its own, and those that say that it isn't listed. */
export const namesOf = (original: string) => [original, original + UNLISTED, original + REMOVED];

/** The original that a hidden file is; undefined for all other names. */
export function hiddenBy(name: string): string | undefined {
  const ending = [UNLISTED, REMOVED].find((each) => name.endsWith(each));
  const original = ending && name.slice(0, -ending.length);
  return original && isOriginalName(original) ? original : undefined;
}
