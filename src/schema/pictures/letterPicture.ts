/** The size and file name of a picture's copy for emails and shared links. */

/** The width of the copy: twice the width at which emails show pictures, for screens of high density. */
export const LETTER_PICTURE_WIDTH_PX = 1088;

/** Returns the size of a picture's copy in pixels, never larger than the original. */
export function computeLetterPictureSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(1, LETTER_PICTURE_WIDTH_PX / width);
  return { width: Math.round(width * scale), height: Math.max(1, Math.round(height * scale)) };
}

/** The properties of an upload that determine the name of its copy. `filename` may also be a URL. */
interface LetterSource {
  readonly filename: string;
  readonly width: number;
  readonly tone?: string | undefined;
}

/**
 * Returns the name of the copy for emails and shared links; undefined if they can show the original. Outlook for
 * Windows and LinkedIn show no WebP, and WhatsApp shows no picture of more than a few hundred KB.
 */
export function createLetterPictureName({ filename, width, tone }: LetterSource) {
  if (filename.endsWith(".gif")) return undefined;
  if (!filename.endsWith(".webp") && width <= LETTER_PICTURE_WIDTH_PX) return undefined;
  return filename.replace(/\.\w+$/, `-${LETTER_PICTURE_WIDTH_PX}.${tone ? "png" : "jpg"}`);
}
