/** The kinds of field an entity is made of. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";
import { emailSchema } from "./email.ts";
import {
  type Choice,
  EMPTY,
  field,
  type Field,
  NOT_TEXT,
  type Options,
  orNull,
  words,
} from "./fieldKind.ts";
import { isColor } from "./color.ts";
import {
  followablePictureUrl,
  followableUrl,
  LONGEST_ADDRESS,
  safePictureUrl,
  safeUrl,
} from "./safeUrl.ts";

export { richText } from "./richText.ts";

export function text(label: string, options: Options<string> = {}): Field<string> {
  const { maxLength = 200, initial = "", required = false } = options;
  const schema = required ? v.pipe(words(maxLength), v.nonEmpty(EMPTY)) : nullAsEmpty(maxLength);
  return field("text", label, schema, initial, { ...options, maxLength });
}

const nullAsEmpty = (maxLength: number) =>
  v.pipe(
    v.nullable(v.string(NOT_TEXT)),
    v.transform((input) => input ?? ""),
    words(maxLength),
  );

/** One line of text that may be missing: stored as null then. */
export function optionalText(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  const { maxLength = 200 } = options;
  return field("text", label, orNull(words(maxLength)), null, { ...options, maxLength });
}

/** Text of several lines; at most 2,000 characters unless said otherwise. */
export function longText(label: string, options: Options<string> = {}): Field<string> {
  return { ...text(label, { maxLength: 2000, ...options }), input: "longText" };
}

/** Choices typed one per line; taken as text or as a list, stored as text (specification, section 3.11). */
export function optionLines(label: string, options: Options<string> = {}): Field<string> {
  const schema = v.pipe(
    v.nullable(v.union([v.string(), v.array(v.string())], "Enter one option per line.")),
    v.transform((input) => (Array.isArray(input) ? input.join("\n") : (input ?? ""))),
    words(10_000),
  );
  return field("options", label, schema, "", options);
}

const PICTURE_WORDS = "Choose an uploaded picture, or enter an address that starts with https://.";

const pictureAddress = address(PICTURE_WORDS, followablePictureUrl);
const refusePicture = { refuses: refusing(safePictureUrl) };

/** The address of a picture that must be there. */
export function image(label: string, options: Options<string> = {}): Field<string> {
  return field("image", label, pictureAddress, "", {
    required: true,
    ...refusePicture,
    ...options,
  });
}

export function optionalImage(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field("image", label, orNull(pictureAddress), null, { ...refusePicture, ...options });
}

const LINK_WORDS =
  "Enter a full address that starts with https:// (mailto:, tel: and paths on this site work too).";

const linkAddress = address(LINK_WORDS, followableUrl);
const refuseLink = { refuses: refusing(safeUrl) };

/** An address that can be followed safely. */
export function link(label: string, options: Options<string> = {}): Field<string> {
  const { refuses = () => undefined } = options;
  return field("link", label, linkAddress, "", {
    required: true,
    ...options,
    refuses: (url) => refuseLink.refuses(url) ?? refuses(url),
  });
}

/** An address that can be followed safely, or null. */
export function optionalLink(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field("link", label, orNull(linkAddress), null, { ...refuseLink, ...options });
}

/** An email address that must be there. */
export function email(label: string, options: Options<string> = {}): Field<string> {
  return field("email", label, emailSchema, "", { required: true, ...options });
}

export function optionalEmail(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field("email", label, orNull(emailSchema), null, options);
}

const DISGUISED =
  "Enter the whole address as a browser shows it, without a name or a password in it.";

function refusing(safe: (text: string) => string | undefined) {
  return (value: string | null) =>
    value === null || safe(value) !== undefined ? undefined : DISGUISED;
}

/** A text that `safe` accepts as an address; otherwise the message is `words`. */
function address(words: string, safe: (text: string) => string | undefined) {
  return v.pipe(
    boundedText(LONGEST_ADDRESS, words),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const address = safe(dataset.value);
      if (address !== undefined) return address;
      addIssue({ message: dataset.value === "" ? EMPTY : words });
      return NEVER;
    }),
  );
}

/** A CSS color: hex, rgb(), hsl() or a name. */
export function color(
  label: string,
  initial: string,
  options: Options<string> = {},
): Field<string> {
  return field("color", label, colorSchema, initial, { ...options, maxLength: 60 });
}

const colorSchema = v.pipe(
  words(60),
  v.check((text) => isColor(text), "Enter a color such as #00BFFF."),
);

/** A color that may be missing, where another one stands in for it: stored as null then. */
export function optionalColor(label: string): Field<string | null> {
  return field<string | null>("color", label, orNull(colorSchema), null, { maxLength: 60 });
}

const LENGTH = /^(?:0|\d{1,4}(?:\.\d{1,3})?(?:px|rem|em|%))$/;

/** A CSS length such as 8px. */
export function length(
  label: string,
  initial: string,
  options: Options<string> = {},
): Field<string> {
  return field("length", label, lengthSchema, initial, { ...options, placeholder: initial });
}

const lengthSchema = v.pipe(words(20), v.regex(LENGTH, "Enter a length such as 8px, 0.5rem or 0."));

/** A length that may be missing, where another one stands in for it: stored as null then. */
export function optionalLength(label: string): Field<string | null> {
  return field<string | null>("length", label, orNull(lengthSchema), null);
}

/** One of some values, each with the label that the owner chooses by. */
export function choice<const T extends string>(
  label: string,
  choices: readonly { readonly value: T; readonly label: string }[],
  initial: NoInfer<T>,
  options: Options<T> = {},
): Field<T> {
  const values = choices.map((each) => each.value);
  const schema = v.picklist(values, "Choose one of the options.") as v.GenericSchema<unknown, T>;
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

/** The last place that a list has. */
export const MAX_ORDER = 1_000_000;

/** A place in a list: a whole number from 0 (specification, section 9, "Numbering"). */
export function order(label = "Order", options: Options<number> = {}): Field<number> {
  const schema = v.pipe(
    v.number("The order must be a whole number."),
    v.integer("The order must be a whole number."),
    v.minValue(0, "The order can't be negative."),
    v.maxValue(MAX_ORDER, "The order is too large."),
  );
  return field("number", label, schema, 0, options);
}

/** A whole number of percent between two bounds, both included. */
export function percentage(
  label: string,
  initial: number,
  { least, most }: { readonly least: number; readonly most: number },
): Field<number> {
  const range = `Enter a whole number from ${least} to ${most}.`;
  const schema = v.pipe(
    v.number(range),
    v.integer(range),
    v.minValue(least, range),
    v.maxValue(most, range),
  );
  return field("number", label, schema, initial);
}

/** Keys of the program's own, such as sections, in an order that means something; at most 100. */
export function names(label: string): Field<readonly string[]> {
  const key = v.pipe(
    boundedText(60, "This must be a name."),
    v.regex(/^[A-Za-z][\w-]{0,59}$/, "This is no name."),
  );
  const schema = v.pipe(
    v.array(key, "This must be a list of names."),
    v.maxLength(100, "This list is too long."),
    v.check((list) => new Set(list).size === list.length, "A name is there twice."),
  );
  return field<readonly string[]>("names", label, schema, []);
}

export {
  type Choice,
  EMPTY,
  field,
  type Field,
  type Fields,
  type InputKind,
  type ValueOf,
} from "./fieldKind.ts";

/** An id made by the server: a UUIDv7 string. */
export function id(): Field<string> {
  return field("none", "Id", v.pipe(v.string(), v.maxLength(64)), "", { setBy: "create" });
}

/** The id of another entity, given by the client. */
export function reference(label: string): Field<string> {
  const schema = v.pipe(v.string("This must be an id."), v.nonEmpty(EMPTY), v.maxLength(64));
  return field("none", label, schema, "", { required: true });
}

/** A moment set by the server, as an ISO 8601 text in UTC; null until the first one. */
export function moment(label: string, setBy: "create" | "save"): Field<string | null> {
  const time = v.pipe(boundedText(40, NOT_TEXT), v.isoTimestamp());
  return field("none", label, v.nullable(time), null, { setBy });
}

/** A value of the server's own, of any shape, which no client sets. */
export function internal<T>(
  label: string,
  schema: v.GenericSchema<unknown, T>,
  initial: T,
): Field<T> {
  return field("none", label, schema, initial, { setBy: "create", audience: "owner" });
}

/** What a visit leaves behind unasked, such as an IP address: kept for the retention days only. */
export function trace(label: string): Field<string | null> {
  return { ...internal(label, v.nullable(v.string()), null), personal: "trace" };
}
