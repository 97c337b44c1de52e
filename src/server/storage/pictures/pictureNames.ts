/** The names of files in the uploads folder. The server creates them, and ignores all others. */
import type { Item } from "../../../schema/index.ts";

const ORIGINAL_NAME_PATTERN = /^[0-9a-f]{32}\.(jpg|png|webp|gif)$/;
const VARIANT_NAME_PATTERN = /^[0-9a-f]{32}-(?:\d{2,4}\.webp|1088\.(?:jpg|png))$/;

export const isOriginalName = (name: string) => ORIGINAL_NAME_PATTERN.test(name);
export const isVariantName = (name: string) => VARIANT_NAME_PATTERN.test(name);

/** The name of a picture's copy at a width in pixels. */
export function variantName(original: string, width: number): string {
  return `${pictureStem(original)}-${width}.webp`;
}

/** As wide as a message shows pictures, twice over for dense screens. */
export const LETTER_PICTURE_WIDTH_PX = 1088;

/** The properties that determine the file that a message shows. */
type LetterSource = Pick<Item<"uploads">, "filename" | "mimetype" | "width" | "tone">;

/**
 * The name of the file that messages show, made when it is first requested: a JPEG, or a PNG where one can see through
 * it, since Outlook for Windows draws no WebP. Undefined for an original that does as it is.
 */
export function letterPictureName({ filename, mimetype, width, tone }: LetterSource) {
  if (mimetype === "image/gif") return undefined;
  if (mimetype !== "image/webp" && width <= LETTER_PICTURE_WIDTH_PX) return undefined;
  return `${pictureStem(filename)}-${LETTER_PICTURE_WIDTH_PX}.${tone ? "png" : "jpg"}`;
}

/** The part shared by an original and its variants. */
export function pictureStem(name: string): string {
  return name.slice(0, 32);
}

/**
 * The extension of an unlisted original: not listed yet, or no longer. Other unlisted files in the folder aren't ours
 * to remove.
 */
export const UNLISTED_EXTENSION = ".unlisted";

/** The possible names of an original: its own, and that of an unlisted one. */
export const possibleOriginalNames = (original: string) => [
  original,
  original + UNLISTED_EXTENSION,
];

/** The original of a hidden file; undefined for all other names. */
export function findOriginalName(name: string): string | undefined {
  const original = name.endsWith(UNLISTED_EXTENSION)
    ? name.slice(0, -UNLISTED_EXTENSION.length)
    : "";
  return isOriginalName(original) ? original : undefined;
}
