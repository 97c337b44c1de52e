/** A QR code as an SVG path in a square view box with sides of length `size`, which includes the quiet zone. */
export interface DrawnQr {
  readonly size: number;
  readonly path: string;
}
