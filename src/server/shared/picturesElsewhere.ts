/** Pictures in rich text that another origin sends than the site does (UPLOADS_PUBLIC_URL). */

/** `html`: as it was cleaned. Without an origin it stays as it is. */
export function picturesElsewhere(html: string, origin: string | undefined): string {
  if (origin === undefined) return html;
  // By a function: an origin may hold what means something in a replacement.
  return html.replace(OWN_PICTURE, (_, before: string) => `${before}${origin}/uploads/`);
}

const OWN_PICTURE = /(<img\s(?:[^<>]*?\s)?src=")\/uploads\//gi;
