/** Pictures drawn in the site's colours, for those that take no SVG: icons and the social card. */
import { deflateSync, crc32 } from "node:zlib";
import type { Content } from "../../schema/index.ts";

type Styles = Content<"styles">;
type Rgb = readonly [number, number, number];
/** The colour and the opacity (0 to 1) of a point; x and y run from 0 to 1. */
type Paint = (x: number, y: number) => readonly [...Rgb, number];

/** A square icon as PNG: a pool of light on the site's background, corners rounded. */
export function iconPicture(size: number, styles: Styles): Uint8Array<ArrayBuffer> {
  const [dark, light] = coloursOf(styles);
  return png(size, size, (x, y) => {
    const lit = Math.max(beam(x, y) * 0.75, pool(x, y, 0.62, 0.34, 0.15));
    return [...mixed(dark, light, lit), corner(x, y, 0.22, size)];
  });
}

/** The card shown with a shared link when the page has no picture of its own: 1200 by 630, PNG. */
export function socialPicture(styles: Styles): Uint8Array<ArrayBuffer> {
  const [dark, light] = coloursOf(styles);
  return png(1200, 630, (x, y) => {
    const lit = 0.55 * beam(x, y) + 0.45 * pool(x, y, 0.86, 0.42, 0.1);
    return [...mixed(dark, light, Math.min(1, lit)), 1];
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

function coloursOf({ backgroundColor, primaryColor }: Styles): [Rgb, Rgb] {
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
  const raster = new Uint8Array(height * (1 + width * 4));
  for (let row = 0; row < height; row += 1) {
    let at = row * (1 + width * 4) + 1;
    for (let column = 0; column < width; column += 1) {
      const [r, g, b, opacity] = paint((column + 0.5) / width, (row + 0.5) / height);
      raster.set([r, g, b, Math.round(opacity * 255)], at);
      at += 4;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(raster)), chunk("IEND")];
  return new Uint8Array(Buffer.concat([signature, ...chunks]));
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
