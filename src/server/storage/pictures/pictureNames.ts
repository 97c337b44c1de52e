/** The names of files in the uploads folder. The server creates them, and ignores all others. */
import type { Item } from "../../../schema/index.ts";

const ORIGINAL = /^[0-9a-f]{32}\.(jpg|png|webp|gif)$/;
const VARIANT = /^[0-9a-f]{32}-(?:\d{2,4}\.webp|1088\.(?:jpg|png))$/;

export const isOriginalName = (name: string) => ORIGINAL.test(name);
export const isVariantName = (name: string) => VARIANT.test(name);

/** The name of a picture's copy at a width in pixels. */
export function variantName(original: string, width: number): string {
  return `${stemOf(original)}-${width}.webp`;
}

/** As wide as a message shows pictures, twice over for dense screens. */
export const LETTER_WIDTH = 1088;

/** The properties that determine the file that a message shows. */
type LetterSource = Pick<Item<"uploads">, "filename" | "mimetype" | "width" | "tone">;

/**
 * The name of the file that messages show, made when it is first requested: a JPEG, or a PNG where one can see through
 * it, since Outlook for Windows draws no WebP. Undefined for an original that does as it is.
 */
export function letterPictureName({ filename, mimetype, width, tone }: LetterSource) {
  if (mimetype === "image/gif") return undefined;
  if (mimetype !== "image/webp" && width <= LETTER_WIDTH) return undefined;
  return `${stemOf(filename)}-${LETTER_WIDTH}.${tone ? "png" : "jpg"}`;
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

/** The possible names of an original: its own, and that of an unlisted one. */
export const possibleNames = (original: string) => [original, original + UNLISTED];

/** The original of a hidden file; undefined for all other names. */
export function originalOfHidden(name: string): string | undefined {
  const original = name.endsWith(UNLISTED) ? name.slice(0, -UNLISTED.length) : "";
  return isOriginalName(original) ? original : undefined;
}
