/** The form of a picture for emails and shared links. */

/** Twice the width at which an email shows pictures, for dense screens. */
export const LETTER_PICTURE_WIDTH_PX = 1088;

/** The size at which emails and shared links show a picture, in pixels: never larger than the original. */
export function computeLetterPictureSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(1, LETTER_PICTURE_WIDTH_PX / width);
  return { width: Math.round(width * scale), height: Math.max(1, Math.round(height * scale)) };
}

/** The part of an upload that determines its copy. `filename` may also be a URL. */
interface LetterSource {
  readonly filename: string;
  readonly width: number;
  readonly tone?: string | undefined;
}

/**
 * Returns the name of the copy that emails and shared links show; undefined if they can show the original. The copy is
 * created when it is first requested: a JPEG, or a PNG if the picture is transparent. Outlook for Windows and LinkedIn
 * show no WebP, and WhatsApp shows no picture of more than a few hundred KB.
 */
export function createLetterPictureName({ filename, width, tone }: LetterSource) {
  if (filename.endsWith(".gif")) return undefined;
  if (!filename.endsWith(".webp") && width <= LETTER_PICTURE_WIDTH_PX) return undefined;
  return filename.replace(/\.\w+$/, `-${LETTER_PICTURE_WIDTH_PX}.${tone ? "png" : "jpg"}`);
}
