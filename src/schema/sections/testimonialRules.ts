/** The limits, default questions and rules of testimonials, for forms, pages and previews. */

export const MAX_TESTIMONIAL_LENGTH = 600;
export const MAX_NAME_LENGTH = 80;
export const MAX_CONSENT_NOTE_LENGTH = 500;

/** The default questions on the page on which people write a testimonial. */
export const DEFAULT_TESTIMONIAL_QUESTIONS = [
  "What was it like before?",
  "What has changed?",
  "Who would you recommend it to?",
] as const;

/** Whether a testimonial can still be written with the link of a request. `now` is ISO 8601 in UTC. */
export const isRequestOpen = (
  { usedAt, expiresAt }: { readonly usedAt: string | null; readonly expiresAt: string | null },
  now: string,
): boolean => usedAt === null && (expiresAt ?? "") > now;

/** Whether a testimonial is so short that it is shown in large type if it comes first. */
export const isShortQuote = (text: string): boolean => text.length < 140;
