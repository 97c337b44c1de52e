/** The form of a picture for emails and shared links. */

/** Twice the width at which an email shows pictures, for dense screens. */
export const LETTER_PICTURE_WIDTH_PX = 1088;

/** The size at which emails and shared links show a picture, in pixels: never larger than the original. */
export function computeLetterPictureSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(1, LETTER_PICTURE_WIDTH_PX / width);
  return { width: Math.round(width * scale), height: Math.max(1, Math.round(height * scale)) };
}

/** `filename` may be a URL, too. */
interface LetterSource {
  readonly filename: string;
  readonly width: number;
  readonly tone?: string | undefined;
}

/**
 * The name of the file that emails and shared links show, which is made when it is first requested: a JPEG, or a PNG for
 * a transparent picture, since Outlook for Windows and LinkedIn show no WebP, and WhatsApp none that is larger than a few
 * hundred KB. Undefined if the original can be used.
 */
export function createLetterPictureName({ filename, width, tone }: LetterSource) {
  if (filename.endsWith(".gif")) return undefined;
  if (!filename.endsWith(".webp") && width <= LETTER_PICTURE_WIDTH_PX) return undefined;
  return filename.replace(/\.\w+$/, `-${LETTER_PICTURE_WIDTH_PX}.${tone ? "png" : "jpg"}`);
}
