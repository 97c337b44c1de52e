/** Fields that hold a colour, a length, a choice, a place in a list. */
import * as v from "valibot";
import { isColour } from "./colour.ts";
import { type Choice, type Field, field, type Options, words } from "./field.ts";

/** A CSS colour: hex, rgb(), hsl() or a name. */
export function colour(
  label: string,
  initial: string,
  options: Options<string> = {},
): Field<string> {
  const schema = v.pipe(words(60), v.check(isColour, "Give a colour such as #00BFFF."));
  return field("colour", label, schema, initial, { ...options, maxLength: 60 });
}

const LENGTH = /^(?:0|\d{1,4}(?:\.\d{1,3})?(?:px|rem|em|%))$/;

/** A CSS length such as 8px. */
export function length(
  label: string,
  initial: string,
  options: Options<string> = {},
): Field<string> {
  const schema = v.pipe(words(20), v.regex(LENGTH, "Give a length such as 8px, 0.5rem or 0."));
  return field("length", label, schema, initial, { ...options, placeholder: initial });
}

/** One of a list of values. */
export function choice<const T extends string>(
  label: string,
  choices: readonly { readonly value: T; readonly label: string }[],
  initial: NoInfer<T>,
  options: Options<T> = {},
): Field<T> {
  const values = choices.map((each) => each.value);
  const schema = v.picklist(values, "Choose one of the values offered.") as v.GenericSchema<
    unknown,
    T
  >;
  return field("choice", label, schema, initial, { ...options, choices });
}

/** A name out of `[\w -]{1,60}` (font families, platforms): safe inside a style, open for new ones. */
export function plainName(
  label: string,
  choices: readonly Choice[],
  initial: string,
  options: Options<string> = {},
): Field<string> {
  const schema = v.pipe(
    words(60),
    v.regex(/^[\w -]{1,60}$/, "Use letters, digits, spaces and hyphens only."),
  );
  return field("choice", label, schema, initial, { ...options, choices });
}

/** Yes or no. */
export function toggle(
  label: string,
  initial: boolean,
  options: Options<boolean> = {},
): Field<boolean> {
  return field("toggle", label, v.boolean("This must be true or false."), initial, options);
}

/** A place in a list: a whole number from 0 (spec section 9, "Numbering"). */
export function order(label = "Order", options: Options<number> = {}): Field<number> {
  const schema = v.pipe(
    v.number("The order must be a whole number."),
    v.integer("The order must be a whole number."),
    v.minValue(0, "The order can't be below 0."),
    v.maxValue(1_000_000, "The order is too large."),
  );
  return field("number", label, schema, 0, options);
}
