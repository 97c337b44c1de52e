/** The anchors of packages at the form, which tell it the package asked about. */

const BEGINNING = "about-";

/** The anchor's id. */
export const aboutPlace = (id: string) => BEGINNING + id;

/** The id of the package with this anchor. */
export const packageAt = (place: string) =>
  place.startsWith(BEGINNING) ? place.slice(BEGINNING.length) : undefined;
