/** The weight axis of a variable font and its coordinates (OpenType 1.9, fvar and avar). */

/** The ends and the middle of the axis, in CSS weights. */
export type WeightAxis = { min: number; normal: number; max: number };

/** The weight axis; undefined for a static font. Throws when the font varies in something else. */
export function weightAxis(fvar: DataView | undefined): WeightAxis | undefined {
  if (!fvar) return undefined;
  const axis = fvar.getUint16(4);
  if (fvar.getUint16(8) !== 1 || fvar.getUint32(axis) !== 0x77676874)
    throw new Error("The font varies in more than its weight.");
  const at = (offset: number) => fvar.getInt32(axis + offset) / 65536;
  return { min: at(4), normal: at(8), max: at(12) };
}

/** A weight as the font's tables count: -1 the lightest, 0 the middle, 1 the heaviest. */
export function normalisedWeight(
  { min, normal, max }: WeightAxis,
  weight: number,
  avar: DataView | undefined,
): number {
  const clamped = Math.min(max, Math.max(min, weight));
  if (clamped === normal) return 0;
  const linear =
    clamped < normal ? (clamped - normal) / (normal - min) : (clamped - normal) / (max - normal);
  return avar ? bent(linear, avar) : linear;
}

/** The axis follows a bent line through the points in avar. */
function bent(value: number, avar: DataView): number {
  const points = Array.from({ length: avar.getUint16(8) }, (_, index) => ({
    from: avar.getInt16(10 + index * 4) / 16384,
    to: avar.getInt16(12 + index * 4) / 16384,
  }));
  const next = points.findIndex((point) => point.from >= value);
  const [low, high] = [points[next - 1], points[next]];
  if (!low || !high) return value;
  return low.to + ((value - low.from) / (high.from - low.from)) * (high.to - low.to);
}
