/** What of testimonials forms, pages and previews know besides their declaration. */

/** The longest words of one, and who said them. */
export const LONGEST_WORDS = 600;
export const LONGEST_NAME = 80;

/** Whether words are large where they come first: they can be read from afar. */
export const isLarge = (words: string): boolean => words.length < 140;
