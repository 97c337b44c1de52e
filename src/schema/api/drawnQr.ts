/**
 * A QR code as the server returns it: the path of an SVG whose view box is `size` wide and high, quiet zone included.
 */
export interface DrawnQr {
  readonly size: number;
  readonly path: string;
}
