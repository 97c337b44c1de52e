/** The site's icons: drawn from its name and colors, or cropped from the owner's picture. */
import { chooseReadableTextColor, toSixDigitHex } from "../../schema/core/color.ts";
import type { Content } from "../../schema/index.ts";
import { createDataUrl, drawSvg } from "./drawSvg.ts";

type Styles = Content<"styles">;

/** Crops the center of a picture to a square PNG. */
export async function cropToSquare(
  picture: Uint8Array,
  side: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const openImage = () => new Bun.Image(picture, { autoOrient: false });
  const originalSize = await openImage().metadata();
  const scaleLength = (length: number) =>
    Math.max(side, Math.round((length * side) / Math.min(originalSize.width, originalSize.height)));
  const [width, height] = [scaleLength(originalSize.width), scaleLength(originalSize.height)];
  const dataUrl = createDataUrl("image/png", await openImage().resize(width, height).png().bytes());
  const [x, y] = [width, height].map((length) => Math.floor((side - length) / 2));
  return drawSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${side}" height="${side}">` +
      `<image image-rendering="optimizeSpeed" x="${x}" y="${y}" width="${width}" height="${height}" xlink:href="${dataUrl}"/></svg>`,
  );
}

/** Draws the site's initial in the site's colors. */
export function createFaviconSvg(name: string, styles: Styles): string {
  const initial = Bun.escapeHTML([...name.trim()][0]?.toUpperCase() ?? "");
  const [background, letter] = [styles.primaryColor, chooseReadableTextColor(styles.primaryColor)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
    `<rect width="64" height="64" rx="14" fill="${background}"/>` +
    `<text x="32" y="47" font-family="'Bebas Neue','Arial Narrow',Impact,sans-serif" font-size="44" ` +
    `font-weight="700" text-anchor="middle" fill="${letter}">${initial}</text></svg>`
  );
}

/** Draws a square PNG icon with rounded corners: a beam of light on the site's background. */
export function drawIcon(
  size: number,
  { backgroundColor, primaryColor }: Styles,
): Promise<Uint8Array<ArrayBuffer>> {
  const [background, beamColor] = [toSixDigitHex(backgroundColor), toSixDigitHex(primaryColor)];
  // The layers are transparent, and each is wider than the one before, so the beam fades toward its edges.
  const layers = 20;
  const beam = Array.from({ length: layers }, (_, index) => {
    const [narrow, wide] = [(6 * (index + 1)) / layers, (32 * (index + 1)) / layers];
    return `<path d="M${50 - narrow} 0H${50 + narrow}L${50 + wide} 100H${50 - wide}Z"/>`;
  });
  return drawSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 100 100">` +
      `<linearGradient id="dusk" x2="0" y2="1"><stop stop-color="${background}" stop-opacity="0"/>` +
      `<stop offset="1" stop-color="${background}" stop-opacity="0.72"/></linearGradient>` +
      `<radialGradient id="pool"><stop offset="0.67" stop-color="${beamColor}"/>` +
      `<stop offset="1" stop-color="${beamColor}" stop-opacity="0"/></radialGradient>` +
      `<clipPath id="icon"><rect width="100" height="100" rx="22"/></clipPath>` +
      `<g clip-path="url(#icon)"><rect width="100" height="100" fill="${background}"/>` +
      `<g fill="${beamColor}" fill-opacity="${1.4 / layers}">${beam.join("")}</g>` +
      `<rect width="100" height="100" fill="url(#dusk)"/>` +
      `<ellipse cx="50" cy="62" rx="34" ry="15" fill="url(#pool)"/></g></svg>`,
  );
}

/** Creates an .ico file with a PNG inside, a format that all browsers support. */
export function createIco(picture: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(22));
  header.setUint16(2, 1, true);
  header.setUint16(4, 1, true);
  header.setUint8(6, size);
  header.setUint8(7, size);
  header.setUint16(10, 1, true);
  header.setUint16(12, 32, true);
  header.setUint32(14, picture.length, true);
  header.setUint32(18, 22, true);
  return new Uint8Array(Buffer.concat([new Uint8Array(header.buffer), picture]));
}
