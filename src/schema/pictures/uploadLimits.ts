/** The limits of uploads, in a module that the dashboard's worker can load without the entity's declaration. */

/** The size of the largest upload, 5 MB, in bytes (specification, section 9.3). */
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
/** The types of pictures that are accepted (specification, section 5.6). */
export const UPLOAD_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const;
export const FILE_TOO_LARGE_MESSAGE = "File size must be less than 5MB";
export const WRONG_TYPE_MESSAGE = "Only JPEG, PNG, WebP, and GIF files are allowed";

const PHONE_FORMATS: Readonly<Record<string, string>> = {
  "image/heic": "HEIC",
  "image/avif": "AVIF",
};

/** Returns the message for a file of a refused type. `createAdvice` explains what to do with a phone's photo. */
export function createWrongTypeMessage(
  type: string | undefined,
  createAdvice: (format: string) => string,
): string {
  const format = PHONE_FORMATS[type ?? ""];
  return format ? `${WRONG_TYPE_MESSAGE}. ${createAdvice(format)}` : WRONG_TYPE_MESSAGE;
}

/** Returns the advice for clients that aren't a browser. */
export const createSaveAsJpegAdvice = (format: string): string =>
  `Save this ${format} photo as a JPEG and upload the JPEG.`;

/** Returns the advice in a browser that can't convert the photo. */
export const createUnreadableFormatAdvice = (format: string): string =>
  `This browser can't read ${format} photos. Upload this one from your phone, or save it as a JPEG first.`;

/** The note that is shown after the upload of an animation that isn't a GIF. */
export const FIRST_FRAME_ONLY_MESSAGE =
  "Only the first frame was kept. Upload a GIF to keep the animation.";
