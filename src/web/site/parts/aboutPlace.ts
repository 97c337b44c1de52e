/** The anchors of packages at the form, which identify the package asked about. */

const BEGINNING = "about-";

/** The anchor's id. */
export const packageAnchor = (id: string) => BEGINNING + id;

/** The id of the package with this anchor. */
export const packageAt = (anchor: string) =>
  anchor.startsWith(BEGINNING) ? anchor.slice(BEGINNING.length) : undefined;
