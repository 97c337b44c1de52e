/** The site's icons: drawn from its name and colors, or cut from the owner's own picture. */
import { decode, encode } from "fast-png";
import { readableOn } from "../../schema/contrast.ts";
import type { Content } from "../../schema/index.ts";

type Styles = Content<"styles">;

/** The middle of a picture as a square PNG. */
export async function squareOf(
  picture: Uint8Array,
  side: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const image = () => new Bun.Image(picture, { autoOrient: false });
  const whole = await image().metadata();
  const scale = side / Math.min(whole.width, whole.height);
  const [wide, high] = [whole.width, whole.height].map((each) =>
    Math.max(side, Math.round(each * scale)),
  );
  const { data, width, height, channels } = decode(
    await image().resize(wide!, high!).png().bytes(),
  );
  const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)];
  const rows = Array.from({ length: side }, (_, row) => {
    const from = ((top + row) * width + left) * channels;
    return data.subarray(from, from + side * channels);
  });
  const cut = new Uint8Array(side * side * channels);
  for (const [row, each] of rows.entries()) cut.set(each, row * side * channels);
  return new Uint8Array(encode({ width: side, height: side, data: cut, channels }));
}

/** The site's initial in its own colors. */
export function faviconSvg(name: string, styles: Styles): string {
  const initial = Bun.escapeHTML([...name.trim()][0]?.toUpperCase() ?? "");
  const [background, letter] = [styles.primaryColor, readableOn(styles.primaryColor)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
    `<rect width="64" height="64" rx="14" fill="${background}"/>` +
    `<text x="32" y="47" font-family="'Bebas Neue','Arial Narrow',Impact,sans-serif" font-size="44" ` +
    `font-weight="700" text-anchor="middle" fill="${letter}">${initial}</text></svg>`
  );
}

type Rgb = readonly [number, number, number];
/** The color and the opacity (0 to 1) of a point; x and y run from 0 to 1. */
type Paint = (x: number, y: number) => readonly [...Rgb, number];

/** A square icon as PNG: a pool of light on the site's background, corners rounded. */
export function iconPicture(size: number, styles: Styles): Uint8Array<ArrayBuffer> {
  const [dark, light] = colorsOf(styles);
  return png(size, size, (x, y) => {
    const lit = Math.max(beam(x, y) * 0.75, pool(x, y, 0.62, 0.34, 0.15));
    return [...mixed(dark, light, lit), corner(x, y, 0.22, size)];
  });
}

/** An .ico file that holds one PNG (allowed since Windows Vista, and by every browser). */
export function icoOf(picture: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(22));
  head.setUint16(2, 1, true);
  head.setUint16(4, 1, true);
  head.setUint8(6, size);
  head.setUint8(7, size);
  head.setUint16(10, 1, true);
  head.setUint16(12, 32, true);
  head.setUint32(14, picture.length, true);
  head.setUint32(18, 22, true);
  return new Uint8Array(Buffer.concat([new Uint8Array(head.buffer), picture]));
}

function colorsOf({ backgroundColor, primaryColor }: Styles): [Rgb, Rgb] {
  return [
    Bun.color(backgroundColor, "[rgb]") ?? [0, 0, 0],
    Bun.color(primaryColor, "[rgb]") ?? [0, 191, 255],
  ];
}

/** Light that falls from the middle of the upper edge and widens on its way. */
function beam(x: number, y: number): number {
  const half = 0.06 + 0.26 * y;
  const across = Math.abs(x - 0.5) / half;
  return across >= 1 ? 0 : (1 - across) * (1 - 0.72 * y);
}

/** Light on the floor: an ellipse with its middle at (0.5, `at`). */
function pool(x: number, y: number, at: number, wide: number, high: number): number {
  const distance = Math.hypot((x - 0.5) / wide, (y - at) / high);
  return Math.max(0, Math.min(1, (1 - distance) * 3));
}

function mixed(from: Rgb, to: Rgb, part: number): Rgb {
  const channel = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * part);
  return [channel(0), channel(1), channel(2)];
}

/** The opacity at a square's rounded corners. */
function corner(x: number, y: number, radius: number, size: number): number {
  const beyond = (at: number) => Math.max(0, radius - Math.min(at, 1 - at));
  const distance = radius - Math.hypot(beyond(x), beyond(y));
  return Math.max(0, Math.min(1, distance * size));
}

function png(width: number, height: number, paint: Paint): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const [r, g, b, opacity] = paint((x + 0.5) / width, (y + 0.5) / height);
    data.set([r, g, b, Math.round(opacity * 255)], at * 4);
  }
  return new Uint8Array(encode({ width, height, data, channels: 4 }));
}
