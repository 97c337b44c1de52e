/** A package that an enquiry can be about. The form identifies the package by an anchor in the URL. */

export interface LinkedPackage {
  readonly id: string;
  readonly title: string;
}

const ANCHOR_PREFIX = "about-";

export const createPackageAnchor = (id: string) => ANCHOR_PREFIX + id;

export const parsePackageAnchor = (anchor: string) =>
  anchor.startsWith(ANCHOR_PREFIX) ? anchor.slice(ANCHOR_PREFIX.length) : undefined;
