/** The limits, default questions and rules of testimonials that forms, pages and previews share. */

/** The longest text and the longest name, in characters. */
export const MAX_TESTIMONIAL_LENGTH = 600;
export const MAX_NAME_LENGTH = 80;
/** The longest note on who gave consent, in characters. */
export const MAX_CONSENT_NOTE_LENGTH = 500;

/** The default questions for people who are asked for a testimonial. */
export const DEFAULT_TESTIMONIAL_QUESTIONS = [
  "What was it like before?",
  "What has changed?",
  "Who would you recommend it to?",
] as const;

/** Whether the link of a request for a testimonial can still be used. `now` is ISO 8601, UTC. */
export const isRequestOpen = (
  { usedAt, expiresAt }: { readonly usedAt: string | null; readonly expiresAt: string | null },
  now: string,
): boolean => usedAt === null && (expiresAt ?? "") > now;

/** Whether a testimonial is short enough to be shown in large type if it is the first. */
export const isShortQuote = (text: string): boolean => text.length < 140;
