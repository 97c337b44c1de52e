/** The limits of uploads; separate from the declaration, so that the dashboard's worker stays small. */

/** The largest upload: 5 MB (specification, section 9.3). */
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
/** The accepted types (specification, section 5.6). */
export const UPLOAD_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const;
export const TOO_LARGE = "File size must be less than 5MB";
export const WRONG_TYPE = "Only JPEG, PNG, WebP, and GIF files are allowed";
