/** The anchors of packages at the form, which identify the package asked about. */

const BEGINNING = "about-";

export const packageAnchor = (id: string) => BEGINNING + id;

export const packageAt = (anchor: string) =>
  anchor.startsWith(BEGINNING) ? anchor.slice(BEGINNING.length) : undefined;
