/** Turns a JPEG of four inks (CMYK) into screen colors by its profile: the decoder multiplies the inks instead. */
import { imageOf, type ImageStructure, viewOf } from "./imageStructure.ts";
import { type InkTable, inkTableOf } from "./inkProfile.ts";

type Size = Pick<ImageStructure, "width" | "height">;

/**
 * The picture of at most `size` with screen colors, as a bitmap; itself if it has no profile of inks. Yields to
 * other work meanwhile.
 */
export async function onScreen(picture: ImageStructure, size: Size): Promise<ImageStructure> {
  const table = picture.inkProfile && inkTableOf(picture.inkProfile);
  if (!table) return picture;
  // Of the decoder's products, one has the first three inks alone, and one the black.
  const colors = await pixelsOf(withFlat(picture.body, [3]), size);
  const black = await pixelsOf(withFlat(picture.body, [0, 1, 2]), size);
  return { ...picture, ...size, body: await bitmapOf(colors, black, size, table) };
}

const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const SCAN = 0xda;

/** The JPEG with these components at half of their range throughout: a quantization table of zeros makes them so. */
function withFlat(body: Uint8Array, components: readonly number[]): Uint8Array<ArrayBuffer> {
  const view = viewOf(body);
  let offset = 2;
  let frameAt = 0;
  for (; view.getUint8(offset + 1) !== SCAN; offset += 2 + view.getUint16(offset + 2))
    if (FRAMES.has(view.getUint8(offset + 1))) frameAt = offset;
  const copy = body.slice();
  const tableAt = (component: number) => frameAt + 12 + 3 * component;
  const others = [0, 1, 2, 3].filter((component) => !components.includes(component));
  const used = others.map((component) => copy[tableAt(component)]);
  const free = [0, 1, 2, 3].find((table) => !used.includes(table)) ?? 3;
  for (const component of components) copy[tableAt(component)] = free;
  const table = new Uint8Array(69);
  table.set([0xff, 0xdb, 0, 67, free]);
  return Bun.concatArrayBuffers(
    [copy.subarray(0, offset), table, copy.subarray(offset)],
    Infinity,
    true,
  );
}

interface Pixels {
  readonly data: ArrayLike<number>;
  readonly channels: number;
}

async function pixelsOf(jpeg: Uint8Array<ArrayBuffer>, { width, height }: Size): Promise<Pixels> {
  const { decode } = await import("fast-png");
  // Uncompressed: it is read right away.
  return decode(await imageOf(jpeg).resize(width, height).png({ compressionLevel: 0 }).bytes());
}

const HEAD_BYTES = 54;
/** Rows between two pauses. */
const ROWS = 32;

/** An uncompressed bitmap of 24 bits (BITMAPINFOHEADER), which the decoder reads. */
async function bitmapOf(
  colors: Pixels,
  black: Pixels,
  { width, height }: Size,
  table: InkTable,
): Promise<Uint8Array<ArrayBuffer>> {
  const rowBytes = 4 * Math.ceil((3 * width) / 4);
  const bitmap = new Uint8Array(HEAD_BYTES + rowBytes * height);
  const view = viewOf(bitmap);
  bitmap.set([0x42, 0x4d]);
  view.setUint32(2, bitmap.length, true);
  view.setUint32(10, HEAD_BYTES, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  const mix = mixer(table);
  for (let row = 0; row < height; row++) {
    if (row % ROWS === 0) await Bun.sleep(0);
    // From the last row to the first.
    let to = HEAD_BYTES + rowBytes * (height - 1 - row);
    for (let at = row * width; at < (row + 1) * width; at++, to += 3) {
      const from = at * colors.channels;
      const [red, green, blue] = mix(
        inkOf(colors.data[from]),
        inkOf(colors.data[from + 1]),
        inkOf(colors.data[from + 2]),
        inkOf(black.data[at * black.channels]),
      );
      bitmap.set([blue, green, red], to);
    }
  }
  return bitmap;
}

/** The amount of ink: it is stored as what is left of white, and multiplied by a half. */
const inkOf = (product = 0) => Math.max(0, 255 - Math.round((product * 255) / 128));

type Mix = (...inks: [number, number, number, number]) => readonly [number, number, number];

/** Interpolates between the sixteen grid points around a mix. Neighbors are often the same color. */
function mixer({ sides, positions, colors }: InkTable): Mix {
  const strides = sides.map((_, ink) => 3 * sides.slice(ink + 1).reduce((a, b) => a * b, 1));
  let last = -1;
  let color: [number, number, number] = [0, 0, 0];
  const shares = new Float32Array(sides.length);
  return (...inks) => {
    const key = ((inks[0] * 256 + inks[1]) * 256 + inks[2]) * 256 + inks[3];
    if (key === last) return color;
    last = key;
    let first = 0;
    for (let ink = 0; ink < inks.length; ink++) {
      const position = positions[ink]?.[inks[ink] ?? 0] ?? 0;
      const below = Math.min((sides[ink] ?? 2) - 2, Math.floor(position));
      shares[ink] = position - below;
      first += below * (strides[ink] ?? 0);
    }
    color = [0, 0, 0];
    for (let corner = 0; corner < 16; corner++) {
      let weight = 1;
      let at = first;
      for (let ink = 0; ink < inks.length; ink++) {
        const isUpper = (corner >> ink) & 1;
        const share = shares[ink] ?? 0;
        weight *= isUpper ? share : 1 - share;
        if (isUpper) at += strides[ink] ?? 0;
      }
      if (weight === 0) continue;
      color[0] += weight * (colors[at] ?? 0);
      color[1] += weight * (colors[at + 1] ?? 0);
      color[2] += weight * (colors[at + 2] ?? 0);
    }
    return color;
  };
}
