/** Kinds of CSS values: colors and lengths. */
import * as v from "valibot";
import { isColor } from "../core/color.ts";
import { field, type Field, kind, type Options, orNull, textSchema } from "./kind.ts";

export const COLOR = kind("color");
export const LENGTH = kind("length");

/** A CSS color: hex, rgb(), hsl() or a name. */
export function color(
  label: string,
  initial: string,
  options: Options<string> = {},
): Field<string> {
  return field(COLOR, label, colorSchema, initial, { ...options, maxLength: 60 });
}

const colorSchema = v.pipe(
  textSchema(60),
  v.check((text) => isColor(text), "Enter a color such as #00BFFF."),
);

/** An optional color; null means that the default applies. */
export function optionalColor(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field(COLOR, label, orNull(colorSchema), null, { ...options, maxLength: 60 });
}

const CSS_LENGTH = /^(?:0|\d{1,4}(?:\.\d{1,3})?(?:px|rem|em|%))$/;

/** A CSS length such as 8px. */
export function length(
  label: string,
  initial: string,
  options: Options<string> = {},
): Field<string> {
  return field(LENGTH, label, lengthSchema, initial, { ...options, placeholder: initial });
}

const lengthSchema = v.pipe(
  textSchema(20),
  v.regex(CSS_LENGTH, "Enter a length such as 8px, 0.5rem or 0."),
);

/** An optional length; null means that the default applies. */
export function optionalLength(label: string): Field<string | null> {
  return field<string | null>(LENGTH, label, orNull(lengthSchema), null);
}
