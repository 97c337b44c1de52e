/** Adds `origin` (UPLOADS_PUBLIC_URL), if configured, to the URLs of uploaded pictures in sanitized `html`. */
export function rewritePictureOrigin(html: string, origin: string | undefined): string {
  if (origin === undefined) return html;
  // Replaces with a function, because an origin may contain replacement patterns such as $&.
  return html.replace(
    UPLOADED_PICTURE_PATTERN,
    (_, prefix: string) => `${prefix}${origin}/uploads/`,
  );
}

const UPLOADED_PICTURE_PATTERN = /(<img\s(?:[^<>]*?\s)?src=")\/uploads\//gi;
