/** Pictures in rich text that are served from another origin (UPLOADS_PUBLIC_URL). */

/** Rewrites the pictures of sanitized `html`; without an origin it is returned unchanged. */
export function rewritePictureOrigin(html: string, origin: string | undefined): string {
  if (origin === undefined) return html;
  // A function, because an origin may contain replacement patterns such as $&.
  return html.replace(
    UPLOADED_PICTURE_PATTERN,
    (_, before: string) => `${before}${origin}/uploads/`,
  );
}

const UPLOADED_PICTURE_PATTERN = /(<img\s(?:[^<>]*?\s)?src=")\/uploads\//gi;
