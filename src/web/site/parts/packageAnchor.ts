/** The package that an enquiry may be about. The form identifies it by an anchor on the page. */

export interface LinkedPackage {
  readonly id: string;
  readonly title: string;
}

const ANCHOR_PREFIX = "about-";

export const createPackageAnchor = (id: string) => ANCHOR_PREFIX + id;

export const parsePackageAnchor = (anchor: string) =>
  anchor.startsWith(ANCHOR_PREFIX) ? anchor.slice(ANCHOR_PREFIX.length) : undefined;
