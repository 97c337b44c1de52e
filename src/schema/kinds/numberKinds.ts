/** Whole numbers. */
import * as v from "valibot";
import { field, type Field, kind, type Options } from "./kind.ts";

export const NUMBER = kind("number");

/** The largest position in a list. */
export const MAX_ORDER = 1_000_000;

/** A position in a list: a whole number from 0 (specification, section 9, "Numbering"). */
export function order(label = "Order", options: Options<number> = {}): Field<number> {
  const schema = v.pipe(
    v.number("The order must be a whole number."),
    v.integer("The order must be a whole number."),
    v.minValue(0, "The order can't be negative."),
    v.maxValue(MAX_ORDER, "The order is too large."),
  );
  return field(NUMBER, label, schema, 0, options);
}

/** A whole number between two bounds, both included. */
export function wholeNumber(
  label: string,
  initial: number,
  { min, max }: { readonly min: number; readonly max: number },
): Field<number> {
  const range = `Enter a whole number from ${min} to ${max}.`;
  const schema = v.pipe(
    v.number(range),
    v.integer(range),
    v.minValue(min, range),
    v.maxValue(max, range),
  );
  return field(NUMBER, label, schema, initial);
}
