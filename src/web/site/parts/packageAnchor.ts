/** The anchors at the enquiry form that identify the package of an enquiry. */

const ANCHOR_PREFIX = "about-";

export const createPackageAnchor = (id: string) => ANCHOR_PREFIX + id;

export const parsePackageAnchor = (anchor: string) =>
  anchor.startsWith(ANCHOR_PREFIX) ? anchor.slice(ANCHOR_PREFIX.length) : undefined;
