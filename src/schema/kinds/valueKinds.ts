/** The kinds of field for choices, toggles, whole numbers, colors and lengths. */
import * as v from "valibot";
import { isColor } from "../core/color.ts";
import {
  type Choice,
  field,
  type Field,
  kind,
  type FieldOptions,
  orNull,
  textSchema,
} from "./kind.ts";

export const CHOICE = kind("choice");
export const TOGGLE = kind("toggle", {
  describeChange: (label, _, after) => `${label} turned ${after ? "on" : "off"}`,
});
/** A toggle without an input in forms, which is set elsewhere in the dashboard. */
export const HIDDEN_TOGGLE = { ...TOGGLE, name: "mark", hasNoInput: true } as const;

export function choice<const T extends string>(
  label: string,
  choices: readonly { readonly value: T; readonly label: string }[],
  initial: NoInfer<T>,
  options: FieldOptions<T> = {},
): Field<T> {
  const values = choices.map((each) => each.value);
  const schema = v.picklist(values, "Choose one of the options.") as v.GenericSchema<unknown, T>;
  return field(CHOICE, label, schema, initial, { ...options, choices });
}

/** Declares a name, such as a font's. Names outside `choices` are allowed, and the pattern makes them safe in CSS. */
export function plainName(
  label: string,
  choices: readonly Choice[],
  initial: string,
  options: FieldOptions<string> = {},
): Field<string> {
  const schema = v.pipe(
    textSchema(60),
    v.regex(/^[\w -]{1,60}$/, "Use letters, digits, spaces and hyphens only."),
  );
  return field(CHOICE, label, schema, initial, { ...options, choices });
}

export function toggle(
  label: string,
  initial: boolean,
  options: FieldOptions<boolean> = {},
): Field<boolean> {
  return field(TOGGLE, label, v.boolean("This must be true or false."), initial, options);
}

export const NUMBER = kind("number");

export const MAX_ORDER = 1_000_000;

/** Declares a position in a list: a whole number from 0 (specification, section 9, "Numbering"). */
export function order(label = "Order"): Field<number> {
  const schema = v.pipe(
    v.number("The order must be a whole number."),
    v.integer("The order must be a whole number."),
    v.minValue(0, "The order can't be negative."),
    v.maxValue(MAX_ORDER, "The order is too large."),
  );
  return field(NUMBER, label, schema, 0);
}

export function wholeNumber(
  label: string,
  initial: number,
  { min, max }: { readonly min: number; readonly max: number },
): Field<number> {
  const rangeMessage = `Enter a whole number from ${min} to ${max}.`;
  const schema = v.pipe(
    v.number(rangeMessage),
    v.integer(rangeMessage),
    v.minValue(min, rangeMessage),
    v.maxValue(max, rangeMessage),
  );
  return field(NUMBER, label, schema, initial);
}

export const COLOR = kind("color");
export const LENGTH = kind("length");

/** Declares a CSS color: hex, rgb(), hsl() or a name. */
export function color(label: string, initial: string): Field<string> {
  return field(COLOR, label, colorSchema, initial, { maxLength: 60 });
}

const colorSchema = v.pipe(
  textSchema(60),
  v.check((text) => isColor(text), "Enter a color such as #00BFFF."),
);

/** Declares an optional CSS color; null for the default. */
export function optionalColor(
  label: string,
  options: FieldOptions<string | null> = {},
): Field<string | null> {
  return field(COLOR, label, orNull(colorSchema), null, { ...options, maxLength: 60 });
}

const CSS_LENGTH_PATTERN = /^(?:0|\d{1,4}(?:\.\d{1,3})?(?:px|rem|em|%))$/;

export function cssLength(label: string, initial: string): Field<string> {
  return field(LENGTH, label, lengthSchema, initial, { placeholder: initial });
}

const lengthSchema = v.pipe(
  textSchema(20),
  v.regex(CSS_LENGTH_PATTERN, "Enter a length such as 8px, 0.5rem or 0."),
);

export function optionalCssLength(label: string): Field<string | null> {
  return field<string | null>(LENGTH, label, orNull(lengthSchema), null);
}
