/** Converts a CMYK JPEG to screen colors with its color profile, which the decoder ignores. */
import {
  concatBytes,
  createImage,
  type ImageStructure,
  type PixelSize,
  toDataView,
} from "./imageStructure.ts";
import { type CmykColorTable, createCmykColorTable } from "./cmykProfile.ts";
import { FRAME_MARKERS, SCAN_MARKER } from "./jpegStructure.ts";

/** Returns a bitmap in screen colors. A picture without a readable CMYK profile is returned unchanged. */
export async function convertToScreenColors(picture: ImageStructure, size: PixelSize) {
  const table = picture.cmykProfile && createCmykColorTable(picture.cmykProfile);
  if (!table) return picture;
  // The decoder multiplies each colored ink by black. The file is therefore decoded twice: once with constant black,
  // and once with constant colored inks.
  const colors = await decodePixels(flattenComponents(picture.cleanBytes, [3]), size);
  const black = await decodePixels(flattenComponents(picture.cleanBytes, [0, 1, 2]), size);
  return { ...picture, ...size, cleanBytes: await createBitmap(colors, black, size, table) };
}

/**
 * Returns a copy of the JPEG in which these components are constant, at half of their maximum. With a quantization
 * table of zeros, their coefficients no longer matter.
 */
function flattenComponents(body: Uint8Array, components: readonly number[]) {
  const view = toDataView(body);
  let offset = 2;
  let frameOffset = 0;
  for (; view.getUint8(offset + 1) !== SCAN_MARKER; offset += 2 + view.getUint16(offset + 2))
    if (FRAME_MARKERS.has(view.getUint8(offset + 1))) frameOffset = offset;
  const copy = body.slice();
  const getTableIdOffset = (component: number) => frameOffset + 12 + 3 * component;
  const otherComponents = [0, 1, 2, 3].filter((component) => !components.includes(component));
  const usedTableIds = otherComponents.map((component) => copy[getTableIdOffset(component)]);
  const freeTableId = [0, 1, 2, 3].find((table) => !usedTableIds.includes(table)) ?? 3;
  for (const component of components) copy[getTableIdOffset(component)] = freeTableId;
  const tableSegment = new Uint8Array(69);
  tableSegment.set([0xff, 0xdb, 0, 67, freeTableId]);
  return concatBytes([copy.subarray(0, offset), tableSegment, copy.subarray(offset)]);
}

interface Pixels {
  readonly data: ArrayLike<number>;
  readonly channels: number;
}

async function decodePixels(jpeg: Uint8Array<ArrayBuffer>, { width, height }: PixelSize) {
  const { decode } = await import("fast-png");
  // The PNG isn't compressed, since it is decoded right away.
  return decode(await createImage(jpeg).resize(width, height).png({ compressionLevel: 0 }).bytes());
}

const BITMAP_HEADER_BYTES = 54;
/** The number of rows after which other work can run. */
const ROWS_PER_TURN = 32;

/** Creates an uncompressed bitmap with 24 bits per pixel (BITMAPINFOHEADER), a format that Bun.Image reads. */
async function createBitmap(
  colors: Pixels,
  black: Pixels,
  { width, height }: PixelSize,
  table: CmykColorTable,
): Promise<Uint8Array<ArrayBuffer>> {
  const rowBytes = 4 * Math.ceil((3 * width) / 4);
  const bitmap = new Uint8Array(BITMAP_HEADER_BYTES + rowBytes * height);
  const view = toDataView(bitmap);
  bitmap.set([0x42, 0x4d]);
  view.setUint32(2, bitmap.length, true);
  view.setUint32(10, BITMAP_HEADER_BYTES, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  const mix = createMixer(table);
  for (let row = 0; row < height; row++) {
    if (row % ROWS_PER_TURN === 0) await Bun.sleep(0);
    // The rows of a bitmap are stored from the last to the first.
    let targetOffset = BITMAP_HEADER_BYTES + rowBytes * (height - 1 - row);
    for (
      let pixelIndex = row * width;
      pixelIndex < (row + 1) * width;
      pixelIndex++, targetOffset += 3
    ) {
      const sourceOffset = pixelIndex * colors.channels;
      const [red, green, blue] = mix(
        computeInkAmount(colors.data[sourceOffset]),
        computeInkAmount(colors.data[sourceOffset + 1]),
        computeInkAmount(colors.data[sourceOffset + 2]),
        computeInkAmount(black.data[pixelIndex * black.channels]),
      );
      bitmap.set([blue, green, red], targetOffset);
    }
  }
  return bitmap;
}

/** Returns the amount of ink, 0 to 255. `product` is the light that the ink leaves, halved by `flattenComponents`. */
const computeInkAmount = (product = 0) => Math.max(0, 255 - Math.round((product * 255) / 128));

type MixInks = (...inks: [number, number, number, number]) => readonly [number, number, number];

/**
 * Interpolates between the sixteen grid points around a mix of inks. Neighboring pixels often have the same color, so
 * the last color is cached.
 */
function createMixer({ gridSize, positions, colors }: CmykColorTable): MixInks {
  const strides = [3, 2, 1, 0].map((power) => 3 * gridSize ** power);
  let lastKey = -1;
  let color: [number, number, number] = [0, 0, 0];
  const fractions = new Float32Array(strides.length);
  return (...inks) => {
    const inkKey = ((inks[0] * 256 + inks[1]) * 256 + inks[2]) * 256 + inks[3];
    if (inkKey === lastKey) return color;
    lastKey = inkKey;
    let baseIndex = 0;
    for (let ink = 0; ink < inks.length; ink++) {
      const position = positions[ink]?.[inks[ink] ?? 0] ?? 0;
      const lowerPosition = Math.min(gridSize - 2, Math.floor(position));
      fractions[ink] = position - lowerPosition;
      baseIndex += lowerPosition * (strides[ink] ?? 0);
    }
    color = [0, 0, 0];
    for (let corner = 0; corner < 16; corner++) {
      let weight = 1;
      let colorIndex = baseIndex;
      for (let ink = 0; ink < inks.length; ink++) {
        const upperBit = (corner >> ink) & 1;
        const fraction = fractions[ink] ?? 0;
        weight *= upperBit ? fraction : 1 - fraction;
        if (upperBit) colorIndex += strides[ink] ?? 0;
      }
      if (weight === 0) continue;
      color[0] += weight * (colors[colorIndex] ?? 0);
      color[1] += weight * (colors[colorIndex + 1] ?? 0);
      color[2] += weight * (colors[colorIndex + 2] ?? 0);
    }
    return color;
  };
}
