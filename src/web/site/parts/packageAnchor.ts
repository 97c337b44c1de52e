/** The anchors of packages at the form, which identify the package asked about. */

const ANCHOR_PREFIX = "about-";

export const createPackageAnchor = (id: string) => ANCHOR_PREFIX + id;

export const parsePackageAnchor = (anchor: string) =>
  anchor.startsWith(ANCHOR_PREFIX) ? anchor.slice(ANCHOR_PREFIX.length) : undefined;
