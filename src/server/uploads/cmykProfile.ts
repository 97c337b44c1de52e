/**
 * Reads the screen colors of ink mixes from a CMYK profile: from a `lut8Type` or `lut16Type` with results in Lab, as in
 * version 2 (ICC.1:2022, section 10). CMYK profiles of version 4 are rare.
 */
import { encodeChannel, type Rgb } from "../../schema/core/hexColor.ts";
import { readLatin1, toDataView } from "./imageStructure.ts";

/** The screen colors of a grid of ink mixes. */
export interface CmykColorTable {
  /** The number of grid points along each ink. */
  readonly gridSize: number;
  /** For each ink: the positions on the grid of the amounts 0 to 255. */
  readonly positions: readonly Float32Array[];
  /** Red, green and blue of sRGB for each grid point, 0 to 255. Neighboring points differ in the last ink. */
  readonly colors: Float32Array;
}

const INK_COUNT = 4;

/** Undefined for a damaged profile and for any other kind. Browsers ignore such profiles too. */
export function createCmykColorTable(profile: Uint8Array): CmykColorTable | undefined {
  try {
    if (readLatin1(profile, 16, 8) !== "CMYKLab ") return undefined;
    const tag = findProfileTag(profile, "A2B0");
    const tagType = tag && readLatin1(tag, 0, 4);
    if (!tag || tag[8] !== INK_COUNT || tag[9] !== 3) return undefined;
    if (tagType === "mft1") return readCmykColorTable(tag, 1);
    return tagType === "mft2" ? readCmykColorTable(tag, 2) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the bytes of a tag, which begin with its type. Throws a RangeError if the table of tags is truncated. */
export function findProfileTag(profile: Uint8Array, signature: string): Uint8Array | undefined {
  const view = toDataView(profile);
  for (let index = 0; index < Math.min(view.getUint32(128), 200); index++) {
    const entry = 132 + 12 * index;
    if (readLatin1(profile, entry, 4) !== signature) continue;
    const start = view.getUint32(entry + 4);
    return profile.subarray(start, start + view.getUint32(entry + 8));
  }
  return undefined;
}

/** Maps a number between 0 and 1 to a number between 0 and 1. */
type Curve = (value: number) => number;

type Lab = readonly [number, number, number];

/** Reads the color table from a tag: a `lut8Type` has one byte for each value, a `lut16Type` has two. */
function readCmykColorTable(tag: Uint8Array, bytesPerValue: 1 | 2): CmykColorTable {
  const view = toDataView(tag);
  const gridSize = view.getUint8(10);
  if (gridSize < 2) throw new RangeError("side of the grid");
  const [inputEntries, outputEntries] =
    bytesPerValue === 1 ? [256, 256] : [view.getUint16(48), view.getUint16(50)];
  const dataOffset = bytesPerValue === 1 ? 48 : 52;
  const getValue = (index: number) =>
    bytesPerValue === 1
      ? view.getUint8(dataOffset + index) / 255
      : view.getUint16(dataOffset + 2 * index) / 65_535;
  const readCurve = (startIndex: number, length: number) =>
    sampleCurve(length, (index) => getValue(startIndex + index));
  const gridStart = INK_COUNT * inputEntries;
  const pointCount = gridSize ** INK_COUNT;
  const outputStart = gridStart + 3 * pointCount;
  // The output curves are at the end. If the profile is too short, this throws before memory is allocated for the grid.
  const outputCurves = [0, 1, 2].map((channel) =>
    readCurve(outputStart + channel * outputEntries, outputEntries),
  );
  // With 16 bits, version 2 encodes white as 0xFF00 instead of 0xFFFF.
  const scale = bytesPerValue === 1 ? 1 : 65_535 / 65_280;
  const xyzPoints = Array.from({ length: pointCount }, (_, point) => {
    const lab = outputCurves.map(
      (curve, channel) => scale * curve(getValue(gridStart + 3 * point + channel)),
    );
    return labToXyz(scaleLab(lab));
  });
  const blackLuminance = xyzPoints.reduce((min, [, y]) => Math.min(min, y), 1);
  const colors = new Float32Array(3 * pointCount);
  for (const [point, xyz] of xyzPoints.entries())
    colors.set(xyzToSrgb(compensateBlackPoint(xyz, Math.max(0, blackLuminance))), 3 * point);
  const positions = Array.from({ length: INK_COUNT }, (_, ink) => {
    const curve = readCurve(ink * inputEntries, inputEntries);
    return Float32Array.from({ length: 256 }, (_, amount) => curve(amount / 255) * (gridSize - 1));
  });
  return { gridSize, positions, colors };
}

/** Returns a curve through values at equal distances, with straight lines between them. */
function sampleCurve(length: number, getValue: (index: number) => number): Curve {
  if (length < 2) throw new RangeError("length of a curve");
  const values = Float64Array.from({ length }, (_, index) => getValue(index));
  return (value) => {
    const position = Math.min(1, Math.max(0, value)) * (length - 1);
    const index = Math.min(length - 2, Math.floor(position));
    const [below = 0, above = 0] = values.subarray(index, index + 2);
    return below + (above - below) * (position - index);
  };
}

const scaleLab = ([lightness = 0, a = 0, b = 0]: readonly number[]): Lab => [
  lightness * 100,
  a * 255 - 128,
  b * 255 - 128,
];

/** The reference white of color profiles (ICC.1, 7.2.16). */
export const D50_WHITE = [0.9642, 1, 0.8249] as const;

/** A color in XYZ. The second number is the luminance, 0 to 1. */
type Xyz = readonly [number, number, number];

/** Converts a color from Lab to XYZ (CIE 15). */
function labToXyz([lightness, a, b]: Lab): Xyz {
  const y = (lightness + 16) / 116;
  return [
    D50_WHITE[0] * invertLabCurve(y + a / 500),
    D50_WHITE[1] * invertLabCurve(y),
    D50_WHITE[2] * invertLabCurve(y - b / 200),
  ];
}

const invertLabCurve = (value: number) =>
  value > 6 / 29 ? value ** 3 : (108 / 841) * (value - 4 / 29);

/** The share of its luminance that the darkest black keeps in `compensateBlackPoint`. */
const BLACK_LUMINANCE_SHARE = 0.25;

/**
 * Darkens a color, since black ink on paper is only a dark gray. Color engines map this gray to a screen's black (ISO
 * 18619); this function does so only in part, as `BLACK_LUMINANCE_SHARE` says.
 */
function compensateBlackPoint([x, y, z]: Xyz, blackLuminance: number): Xyz {
  const scale = (1 - BLACK_LUMINANCE_SHARE * blackLuminance) / (1 - blackLuminance);
  const whiteShare = 1 - scale;
  return [
    scale * x + whiteShare * D50_WHITE[0],
    scale * y + whiteShare,
    scale * z + whiteShare * D50_WHITE[2],
  ];
}

/** Converts XYZ to sRGB (IEC 61966-2-1). The coefficients include Bradford's adaptation from D50. */
function xyzToSrgb([x, y, z]: Xyz): Rgb {
  return [
    encodeChannel(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    encodeChannel(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    encodeChannel(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ];
}
