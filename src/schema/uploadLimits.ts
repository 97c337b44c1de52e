/** The limits of uploads; separate from the declaration, so that the dashboard's worker stays small. */

/** The largest upload: 5 MB (specification, section 9.3). */
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
/** The accepted types (specification, section 5.6). */
export const UPLOAD_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const;
export const TOO_LARGE = "File size must be less than 5MB";
export const WRONG_TYPE = "Only JPEG, PNG, WebP, and GIF files are allowed";

const NAMES = { "image/heic": "HEIC", "image/avif": "AVIF" } as const;

/** The refusal of a file by its kind; `wayOut` says what to do with a phone's photo. */
export const wrongTypeOf = (kind: string | undefined, wayOut: string): string =>
  kind === "image/heic" || kind === "image/avif"
    ? `${WRONG_TYPE}. This photo is in the format ${NAMES[kind]}${wayOut}`
    : WRONG_TYPE;

/** How the sentence about a phone's photo ends where no browser is asked to convert it. */
export const SAVE_AS_JPEG = ": save it as a JPEG and upload that.";
/** How it ends in a browser that can't. */
export const UNREAD_HERE =
  ", which this browser can't read: choose it on your phone, which hands over a JPEG, or save it as one.";
/** Added where an animation that is no GIF was uploaded. */
export const STILLED =
  "Only its first picture was kept. Save the animation as a GIF to keep it moving.";
