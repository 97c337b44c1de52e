/**
 * Rewrites the addresses of uploaded pictures in sanitized `html` to another origin (UPLOADS_PUBLIC_URL). Without an
 * origin, `html` is returned unchanged.
 */
export function rewritePictureOrigin(html: string, origin: string | undefined): string {
  if (origin === undefined) return html;
  // The replacement is a function, because an origin may contain replacement patterns such as $&.
  return html.replace(
    UPLOADED_PICTURE_PATTERN,
    (_, prefix: string) => `${prefix}${origin}/uploads/`,
  );
}

const UPLOADED_PICTURE_PATTERN = /(<img\s(?:[^<>]*?\s)?src=")\/uploads\//gi;
