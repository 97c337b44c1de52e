/** Kinds of choices: one of several values, or yes and no. */
import * as v from "valibot";
import { type Choice, field, type Field, kind, type Options, textSchema } from "./kind.ts";

export const CHOICE = kind("choice");
export const TOGGLE = kind("toggle", {
  describeChange: (label, _, after) => `${label} turned ${after ? "on" : "off"}`,
});
/** A kind of toggle without an input in forms; a dedicated part of the dashboard sets it. */
export const MARK = { ...TOGGLE, name: "mark", hasNoInput: true } as const;

/** One of several values, with labels for the owner. */
export function choice<const T extends string>(
  label: string,
  choices: readonly { readonly value: T; readonly label: string }[],
  initial: NoInfer<T>,
  options: Options<T> = {},
): Field<T> {
  const values = choices.map((each) => each.value);
  const schema = v.picklist(values, "Choose one of the options.") as v.GenericSchema<unknown, T>;
  return field(CHOICE, label, schema, initial, { ...options, choices });
}

/** A name matching `[\w -]{1,60}` (font families, platforms): safe in CSS, and open to unknown values. */
export function plainName(
  label: string,
  choices: readonly Choice[],
  initial: string,
  options: Options<string> = {},
): Field<string> {
  const schema = v.pipe(
    textSchema(60),
    v.regex(/^[\w -]{1,60}$/, "Use letters, digits, spaces and hyphens only."),
  );
  return field(CHOICE, label, schema, initial, { ...options, choices });
}

/** Yes or no. */
export function toggle(
  label: string,
  initial: boolean,
  options: Options<boolean> = {},
): Field<boolean> {
  return field(TOGGLE, label, v.boolean("This must be true or false."), initial, options);
}
