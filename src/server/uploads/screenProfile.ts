/**
 * Creates RGB profiles for pictures that declare their colors without a profile or with a gray profile. The decoder
 * copies profiles unchanged and stores every picture as RGB, so a gray profile would no longer be valid.
 */
import { deflateSync, inflateSync } from "node:zlib";
import { D50_WHITE, findProfileTag } from "./cmykProfile.ts";
import { concatBytes, encodeUint32, readLatin1, toDataView } from "./imageStructure.ts";

type Vector = readonly [number, number, number];
/** A matrix, as its three columns. */
type Matrix = readonly [Vector, Vector, Vector];

/** The chromaticities of white, red, green and blue: x and y of each. */
type Primaries = readonly number[];

const SRGB_PRIMARIES = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];

/** The primaries of sRGB, BT.2020 and Display P3, by their code in a cICP chunk (ITU-T H.273, table 2). */
const PRIMARIES_BY_CODE: Readonly<Record<number, Primaries>> = {
  1: SRGB_PRIMARIES,
  9: [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
  12: [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
};
/** The code of sRGB's curve (ITU-T H.273, table 3). Other curves, such as those of HDR, aren't converted. */
const SRGB_CURVE_CODE = 13;

/** Creates the curve that decodes sRGB (IEC 61966-2-1). */
const createSrgbCurve = () => createCurve(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]);
/** Browsers show a picture with this value in its gAMA chunk and without chromaticities as sRGB. */
const SRGB_GAMMA = 45_455;

/** Converts a gray profile to RGB, with the same curve. Undefined for a damaged profile and for any other kind. */
export function convertGrayProfile(profile: Uint8Array): Uint8Array | undefined {
  try {
    if (readLatin1(profile, 16, 8) !== "GRAYXYZ ") return undefined;
    const curve = findProfileTag(profile, "kTRC");
    // The profile must fit into a JPEG segment of 64 KB. Curves have at most about 8 KB.
    if (!curve || curve.length > MAX_CURVE_BYTES) return undefined;
    return createProfile(SRGB_PRIMARIES, curve);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const MAX_CURVE_BYTES = 32 * 1024;

/**
 * Returns the data of an iCCP chunk for the colors that a PNG's chunks declare, in the order of precedence of the PNG
 * specification (third edition, section 4.3). Undefined for sRGB, and for colors that no profile can express.
 */
export function createPngProfile(
  findChunk: (type: string) => Uint8Array | undefined,
  isGray: boolean,
): Uint8Array | undefined {
  const [primariesCode = 0, curveCode] = findChunk("cICP") ?? [];
  const primaries = curveCode === SRGB_CURVE_CODE && PRIMARIES_BY_CODE[primariesCode];
  if (primaries === SRGB_PRIMARIES) return undefined;
  if (primaries) return compressProfile(createProfile(primaries, createSrgbCurve()));
  const storedProfile = findChunk("iCCP");
  if (storedProfile) return (isGray && convertGrayProfileChunk(storedProfile)) || storedProfile;
  if (findChunk("sRGB")) return undefined;
  return compressProfile(createGammaProfile(findChunk("gAMA"), findChunk("cHRM")));
}

const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

function convertGrayProfileChunk(chunk: Uint8Array): Uint8Array | undefined {
  try {
    const compressed = chunk.subarray(chunk.indexOf(0) + 2);
    const profile = inflateSync(compressed, { maxOutputLength: MAX_PROFILE_BYTES });
    return compressProfile(convertGrayProfile(profile));
  } catch {
    // The damaged profile stays in the file. The decoder ignores it, and browsers do too.
    return undefined;
  }
}

/** An iCCP chunk has a name, a zero byte, the method of compression, and the compressed profile. */
const compressProfile = (profile: Uint8Array | undefined) =>
  profile && concatBytes([Uint8Array.of(0x69, 0, 0), deflateSync(profile)]);

function createGammaProfile(
  gamma: Uint8Array | undefined,
  chromaticities: Uint8Array | undefined,
): Uint8Array | undefined {
  if (gamma?.length !== 4) return undefined;
  const gammaValue = toDataView(gamma).getUint32(0);
  const hasChromaticities = chromaticities?.length === 32;
  // Extreme values would overflow the number in the curve. No program writes such values.
  if (
    gammaValue < 10_000 ||
    gammaValue > 1_000_000 ||
    (gammaValue === SRGB_GAMMA && !hasChromaticities)
  )
    return undefined;
  const view = hasChromaticities && toDataView(chromaticities);
  const primaries = view
    ? Array.from({ length: 8 }, (_, index) => view.getUint32(4 * index) / 100_000)
    : SRGB_PRIMARIES;
  return createProfile(primaries, createCurve(0, [100_000 / gammaValue]));
}

/** Encodes a `parametricCurveType` (ICC.1:2022, 10.18). */
function createCurve(functionType: 0 | 3, parameters: readonly number[]): Uint8Array {
  return concatBytes([
    encodeText("para\0\0\0\0\0"),
    Uint8Array.of(functionType, 0, 0),
    encodeFixed(parameters),
  ]);
}

/** Creates a display's profile (ICC.1:2022, sections 7 and 8.4.3). Undefined if the primaries aren't valid colors. */
function createProfile(primaries: Primaries, curve: Uint8Array): Uint8Array | undefined {
  const colorants = computeColorants(primaries);
  if (!colorants.flat().every((value) => Math.abs(value) < 2)) return undefined;
  const [red, green, blue] = colorants;
  const name = encodeName("Screen");
  const tags: Readonly<Record<string, Uint8Array>> = {
    desc: name,
    cprt: name,
    wtpt: encodeXyz(D50_WHITE),
    rXYZ: encodeXyz(red),
    gXYZ: encodeXyz(green),
    bXYZ: encodeXyz(blue),
    rTRC: curve,
    gTRC: curve,
    bTRC: curve,
  };
  const entries = Object.entries(tags);
  const content: Uint8Array[] = [];
  const offsets = new Map<Uint8Array, number>();
  let size = HEADER_BYTES + 4 + 12 * entries.length;
  for (const data of new Set(entries.map(([, each]) => each))) {
    const padding = new Uint8Array(-data.length & 3);
    content.push(data, padding);
    offsets.set(data, size);
    size += data.length + padding.length;
  }
  const table = entries.flatMap(([signature, data]) => [
    encodeText(signature),
    encodeUint32(offsets.get(data) ?? 0),
    encodeUint32(data.length),
  ]);
  return concatBytes([createHeader(size), encodeUint32(entries.length), ...table, ...content]);
}

const HEADER_BYTES = 128;

/** Creates the header of a profile: version 4.3, for a display, with a conversion from RGB to XYZ. */
function createHeader(size: number): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  header.set(encodeUint32(size));
  header.set([4, 0x30], 8);
  header.set(encodeText("mntrRGB XYZ "), 12);
  header.set(encodeText("acsp"), 36);
  header.set(encodeFixed(D50_WHITE), 68);
  return header;
}

/** Bradford's matrix, which adapts colors to another white, as its columns (ICC.1:2022, annex E). */
const BRADFORD: Matrix = [
  [0.8951, -0.7502, 0.0389],
  [0.2664, 1.7135, -0.0685],
  [-0.1614, 0.0367, 1.0296],
];

/** Returns the colors of red, green and blue at full intensity, as XYZ adapted to D50. */
function computeColorants(primaries: Primaries): Matrix {
  const [white, ...colors] = [0, 2, 4, 6].map((offset): Vector => {
    const [x = 0, y = 0] = primaries.slice(offset, offset + 2);
    return [x / y, 1, (1 - x - y) / y];
  }) as [Vector, Vector, Vector, Vector];
  const strengths = solveLinearSystem(colors, white);
  const [sourceWhite, targetWhite] = [
    multiplyMatrix(BRADFORD, white),
    multiplyMatrix(BRADFORD, D50_WHITE),
  ];
  return mapVector((channel) => {
    const color = mapVector((row) => colors[channel][row] * strengths[channel]);
    const cone = multiplyMatrix(BRADFORD, color);
    return solveLinearSystem(
      BRADFORD,
      mapVector((row) => (cone[row] * targetWhite[row]) / sourceWhite[row]),
    );
  });
}

const mapVector = <T>(getValue: (index: 0 | 1 | 2) => T): readonly [T, T, T] => [
  getValue(0),
  getValue(1),
  getValue(2),
];

const multiplyMatrix = (columns: Matrix, [a, b, c]: Vector): Vector =>
  mapVector((row) => columns[0][row] * a + columns[1][row] * b + columns[2][row] * c);

/** Returns the vector that the matrix maps to `target`, computed by Cramer's rule. */
const solveLinearSystem = (columns: Matrix, target: Vector): Vector =>
  mapVector((index) => {
    const replacedMatrix = mapVector((column) => (column === index ? target : columns[column]));
    return computeDeterminant(replacedMatrix) / computeDeterminant(columns);
  });

const computeDeterminant = ([a, b, c]: Matrix): number =>
  a[0] * (b[1] * c[2] - b[2] * c[1]) +
  a[1] * (b[2] * c[0] - b[0] * c[2]) +
  a[2] * (b[0] * c[1] - b[1] * c[0]);

const encodeText = (text: string) => new TextEncoder().encode(text);

const encodeXyz = (color: Vector) => concatBytes([encodeText("XYZ \0\0\0\0"), encodeFixed(color)]);

/** Encodes a `multiLocalizedUnicodeType` with one text (ICC.1:2022, 10.15). */
function encodeName(name: string): Uint8Array {
  const text = Buffer.from(name, "utf16le").swap16();
  return concatBytes([
    encodeText("mluc\0\0\0\0"),
    encodeUint32(1),
    encodeUint32(12),
    encodeText("enUS"),
    encodeUint32(text.length),
    encodeUint32(28),
    text,
  ]);
}

/** Encodes each value as an `s15Fixed16Number` (ICC.1:2022, 4.6). */
const encodeFixed = (values: readonly number[]) =>
  concatBytes(values.map((value) => encodeUint32(Math.round(value * 65_536))));
