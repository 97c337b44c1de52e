/**
 * Reads from a color profile which screen color a mix of four inks has (ICC.1:2022, section 10: lut8Type and lut16Type
 * into Lab, of version 2; those of version 4 are rare for inks).
 */
import type { Rgb } from "../../schema/core/hexColor.ts";
import { latin1, viewOf } from "./imageStructure.ts";

/** The screen colors on a grid of mixes; the last ink varies fastest. */
export interface InkTable {
  /** The number of grid points for each ink. */
  readonly sides: readonly number[];
  /** For each ink, the position on its side of the grid, by amount from 0 to 255. */
  readonly positions: readonly Float32Array[];
  /** sRGB, 0 to 255: three numbers a grid point. */
  readonly colors: Float32Array;
}

const INKS = 4;

/** Undefined for a profile of another kind, or one that is damaged: browsers then ignore it. */
export function inkTableOf(profile: Uint8Array): InkTable | undefined {
  try {
    if (latin1(profile, 16, 8) !== "CMYKLab ") return undefined;
    const tag = tagOf(profile, "A2B0");
    const kind = tag && latin1(tag, 0, 4);
    if (!tag || tag[8] !== INKS || tag[9] !== 3) return undefined;
    if (kind === "mft1") return tableOf(plainLut(tag, 1));
    return kind === "mft2" ? tableOf(plainLut(tag, 2)) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function tagOf(profile: Uint8Array, signature: string): Uint8Array | undefined {
  const view = viewOf(profile);
  for (let index = 0; index < Math.min(view.getUint32(128), 200); index++) {
    const entry = 132 + 12 * index;
    if (latin1(profile, entry, 4) !== signature) continue;
    const start = view.getUint32(entry + 4);
    return profile.subarray(start, start + view.getUint32(entry + 8));
  }
  return undefined;
}

/** A curve from 0..1 to 0..1. */
type Curve = (value: number) => number;

interface Lut {
  readonly inks: readonly Curve[];
  readonly sides: readonly number[];
  /** The grid's values, 0 to 1. */
  readonly valueAt: (index: number) => number;
  /** The Lab color of the grid's three values. */
  readonly labOf: (values: readonly number[]) => Lab;
}

const applyCurves = (curves: readonly Curve[], values: readonly number[]) =>
  curves.map((curve, channel) => curve(values[channel] ?? 0));

type Lab = readonly [number, number, number];

/** `lut8Type` (one byte a value) and `lut16Type` (two). */
function plainLut(tag: Uint8Array, bytes: 1 | 2): Lut {
  const view = viewOf(tag);
  const sides = Array.from({ length: INKS }, () => view.getUint8(10));
  const [entries, outEntries] = bytes === 1 ? [256, 256] : [view.getUint16(48), view.getUint16(50)];
  const start = bytes === 1 ? 48 : 52;
  const valueAt = (index: number) =>
    bytes === 1 ? view.getUint8(start + index) / 255 : view.getUint16(start + 2 * index) / 65_535;
  const grid = INKS * entries;
  const outputs = grid + 3 * pointsOf(sides);
  const curve = (from: number, length: number) => sampleCurve(length, (at) => valueAt(from + at));
  const out = [0, 1, 2].map((channel) => curve(outputs + channel * outEntries, outEntries));
  // Version 2 writes white in 16 bits as 0xFF00.
  const scale = bytes === 1 ? 1 : 65_535 / 65_280;
  return {
    inks: Array.from({ length: INKS }, (_, ink) => curve(ink * entries, entries)),
    sides,
    valueAt: (index) => valueAt(grid + index),
    labOf: (values) => labFrom(applyCurves(out, values).map((value) => value * scale)),
  };
}

/** A curve through equally distant values. */
function sampleCurve(length: number, valueAt: (at: number) => number): Curve {
  if (length < 2) throw new RangeError("length of a curve");
  const values = Float64Array.from({ length }, (_, at) => valueAt(at));
  return (value) => {
    const position = Math.min(1, Math.max(0, value)) * (length - 1);
    const at = Math.min(length - 2, Math.floor(position));
    const [below = 0, above = 0] = values.subarray(at, at + 2);
    return below + (above - below) * (position - at);
  };
}

const labFrom = ([light = 0, a = 0, b = 0]: readonly number[]): Lab => [
  light * 100,
  a * 255 - 128,
  b * 255 - 128,
];

const pointsOf = (sides: readonly number[]) => sides.reduce((product, side) => product * side, 1);

function tableOf({ inks, sides, valueAt, labOf }: Lut): InkTable {
  if (sides.some((side) => side < 2)) throw new RangeError("side of a grid");
  const points = pointsOf(sides);
  // Reads the last value first, so that a missing grid costs no memory.
  valueAt(3 * points - 1);
  const lights = Array.from({ length: points }, (_, point) =>
    lightFrom(labOf([0, 1, 2].map((channel) => valueAt(3 * point + channel)))),
  );
  const black = lights.reduce((least, [, y]) => Math.min(least, y), 1);
  const colors = new Float32Array(3 * points);
  for (const [point, light] of lights.entries())
    colors.set(screenColor(compensateBlackPoint(light, Math.max(0, black))), 3 * point);
  const positions = inks.map((curve, ink) =>
    Float32Array.from(
      { length: 256 },
      (_, amount) => Math.min(1, Math.max(0, curve(amount / 255))) * ((sides[ink] ?? 1) - 1),
    ),
  );
  return { sides, positions, colors };
}

/** The white of profiles, D50 (ICC.1, 7.2.16). */
const WHITE = [0.9642, 1, 0.8249] as const;

/** XYZ, of which the second is the luminance, 0 to 1. */
type Light = readonly [number, number, number];

/** Lab to XYZ (CIE 15). */
function lightFrom([light, a, b]: Lab): Light {
  const y = (light + 16) / 116;
  return [WHITE[0] * fromLab(y + a / 500), WHITE[1] * fromLab(y), WHITE[2] * fromLab(y - b / 200)];
}

const fromLab = (value: number) => (value > 6 / 29 ? value ** 3 : (108 / 841) * (value - 4 / 29));

/** The remaining share of the luminance of the inks' deepest black. */
const BLACK_SHARE = 0.25;

/**
 * Black ink on paper is a dark gray. Color engines make it a screen's black, browsers leave it gray: this is between
 * them, scaled in XYZ as engines do (ISO 18619).
 */
function compensateBlackPoint([x, y, z]: Light, black: number): Light {
  const scale = (1 - BLACK_SHARE * black) / (1 - black);
  const rest = 1 - scale;
  return [scale * x + rest * WHITE[0], scale * y + rest, scale * z + rest * WHITE[2]];
}

/** XYZ to sRGB, 0 to 255 (IEC 61966-2-1, adapted to D50 by Bradford's matrix). */
function screenColor([x, y, z]: Light): Rgb {
  return [
    encodeGamma(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    encodeGamma(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    encodeGamma(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ];
}

function encodeGamma(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
}
