/** Where a package leads to ask about it: to a place at the form, by which the form knows the package. */

const BEGINNING = "about-";

/** The id of that place. */
export const aboutPlace = (id: string) => BEGINNING + id;

/** The id of the package whose place this is. */
export const packageAt = (place: string) =>
  place.startsWith(BEGINNING) ? place.slice(BEGINNING.length) : undefined;
