/** What of testimonials forms, pages and previews know besides their declaration. */

/** The longest words of one, and who said them. */
export const LONGEST_WORDS = 600;
export const LONGEST_NAME = 80;
/** Of what is noted on who agreed. */
export const LONGEST_AGREED = 500;

/** What is asked of those who are asked for some, until the owner asks something else. */
export const QUESTIONS = [
  "What was it like before?",
  "What has changed?",
  "To whom would you recommend it?",
] as const;

/** Whether a link that was given to somebody still waits for their words; `now` is ISO 8601, UTC. */
export const isOpen = (
  { usedAt, expiresAt }: { readonly usedAt: string | null; readonly expiresAt: string | null },
  now: string,
): boolean => usedAt === null && (expiresAt ?? "") > now;

/** Whether words are large where they come first: they can be read from afar. */
export const isLarge = (words: string): boolean => words.length < 140;
