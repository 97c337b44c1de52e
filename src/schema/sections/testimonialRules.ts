/** The limits, default questions and rules of testimonials that forms, pages and previews share. */

/** The longest text and the longest name, in characters. */
export const LONGEST_TESTIMONIAL = 600;
export const LONGEST_NAME = 80;
/** The longest note on who agreed. */
export const LONGEST_AGREED = 500;

/** The default questions for people who are asked for a testimonial. */
export const QUESTIONS = [
  "What was it like before?",
  "What has changed?",
  "Who would you recommend it to?",
] as const;

/** Whether somebody's link can still be used; `now` is ISO 8601, UTC. */
export const isOpen = (
  { usedAt, expiresAt }: { readonly usedAt: string | null; readonly expiresAt: string | null },
  now: string,
): boolean => usedAt === null && (expiresAt ?? "") > now;

/** Whether a text is short enough to be set large when it comes first. */
export const isLarge = (text: string): boolean => text.length < 140;
