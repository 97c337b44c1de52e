/** The kinds of field an entity is made of: each owns its label, check, initial value and input. */
import * as v from "valibot";
import { isColour } from "./colour.ts";
import { safePictureUrl, safeUrl } from "./safeUrl.ts";

/** Which control the dashboard shows, and which cleaning the server adds (rich text). */
export type InputKind =
  | "text"
  | "longText"
  | "richText"
  | "image"
  | "link"
  | "colour"
  | "length"
  | "choice"
  | "toggle"
  | "number"
  | "email"
  | "options"
  | "none";

/** One field of an entity. `schema` takes what a client sends and gives what is stored. */
export interface Field<T = unknown> {
  readonly input: InputKind;
  readonly label: string;
  readonly schema: v.GenericSchema<unknown, T>;
  readonly initial: T;
  /** Must be there and not empty when an entity is created or changed. */
  readonly required: boolean;
  /** "owner": never sent to visitors. */
  readonly audience: "everyone" | "owner";
  /** "create" and "save": set by the server at that moment and ignored when a client sends it. */
  readonly setBy: "client" | "create" | "save";
  readonly placeholder?: string;
  readonly hint?: string;
  readonly maxLength?: number;
  readonly choices?: readonly Choice[];
}

/** One of the values of a choice field. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The fields of an entity by name. */
export type Fields = Readonly<Record<string, Field<any>>>;

/** The stored value that a set of fields describes. */
export type ValueOf<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** The words for an empty required field; `check.ts` puts the entity's own sentence in their place. */
export const EMPTY = "This can't be empty.";

type Options<T> = Partial<Omit<Field<T>, "label" | "schema" | "input">>;

function field<T>(
  input: InputKind,
  label: string,
  schema: v.GenericSchema<unknown, T>,
  initial: T,
  options: Options<T> = {},
): Field<T> {
  return {
    input,
    label,
    schema,
    initial,
    required: false,
    audience: "everyone",
    setBy: "client",
    ...options,
  };
}

// Line breaks and tabs are text; other control characters never are.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

const words = (maxLength: number) =>
  v.pipe(
    v.string("This must be text."),
    v.trim(),
    v.maxLength(maxLength, `Use at most ${maxLength.toLocaleString("en-GB")} characters.`),
    v.check((text) => !CONTROL.test(text), "Remove the invisible control characters."),
  );

const orNull = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.unknown(),
    v.transform((input) => (input === "" || input === undefined ? null : input)),
    v.nullable(schema),
  ) as v.GenericSchema<unknown, T | null>;

/** One line of text. */
export function text(label: string, options: Options<string> = {}): Field<string> {
  const { maxLength = 200, initial = "", required = false } = options;
  const schema = required ? v.pipe(words(maxLength), v.nonEmpty(EMPTY)) : nullAsEmpty(maxLength);
  return field("text", label, schema, initial, { ...options, maxLength });
}

const nullAsEmpty = (maxLength: number) =>
  v.pipe(
    v.nullable(v.string("This must be text.")),
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

/** Several lines of plain text. */
export function longText(label: string, options: Options<string> = {}): Field<string> {
  return { ...text(label, { maxLength: 2000, ...options }), input: "longText" };
}

/** HTML of the owner's; the server cleans it before it is stored (security.md). At most 200 KB. */
export function richText(label: string, options: Options<string> = {}): Field<string> {
  const { maxLength = 200_000, initial = "", required = false } = options;
  const html = v.pipe(
    v.nullable(v.string("This must be text.")),
    v.transform((input) => (input ?? "").trim()),
    v.maxLength(maxLength, "This text is too long: use at most 200 KB, pictures included."),
    v.check((input) => !required || !isBlankHtml(input), EMPTY),
  );
  return field("richText", label, html, initial, { ...options, maxLength });
}

/** True when rich text holds neither words nor a picture. */
export function isBlankHtml(html: string): boolean {
  return !/<img\s/i.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, "") === "";
}

const PICTURE_WORDS =
  "Choose a picture of this site, or give an address that starts with https://.";
const pictureAddress = v.pipe(
  v.string(PICTURE_WORDS),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const address = safePictureUrl(dataset.value);
    if (address !== undefined) return address;
    addIssue({ message: dataset.value.trim() === "" ? EMPTY : PICTURE_WORDS });
    return NEVER;
  }),
);

/** The address of a picture that must be there. */
export function image(label: string, options: Options<string> = {}): Field<string> {
  return field("image", label, pictureAddress, "", { required: true, ...options });
}

/** The address of a picture, or null. */
export function optionalImage(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field("image", label, orNull(pictureAddress), null, options);
}

const LINK_WORDS =
  "Give a full address that starts with https:// (or mailto:, tel:, or a / of this site).";
const linkAddress = v.pipe(
  v.string(LINK_WORDS),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const address = safeUrl(dataset.value);
    if (address !== undefined) return address;
    addIssue({ message: dataset.value.trim() === "" ? EMPTY : LINK_WORDS });
    return NEVER;
  }),
);

/** An address that can be followed safely. */
export function link(label: string, options: Options<string> = {}): Field<string> {
  return field("link", label, linkAddress, "", { required: true, ...options });
}

/** An address that can be followed safely, or null. */
export function optionalLink(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field("link", label, orNull(linkAddress), null, options);
}

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

const EMAIL_WORDS = "Give an e-mail address such as name@example.com.";

/** An e-mail address, trimmed; at most 254 characters (RFC 5321). */
export const emailSchema = v.pipe(
  v.string(EMAIL_WORDS),
  v.trim(),
  v.nonEmpty("Email is required"),
  v.maxLength(254, EMAIL_WORDS),
  v.email(EMAIL_WORDS),
);

/** An e-mail address that must be there. */
export function email(label: string, options: Options<string> = {}): Field<string> {
  return field("email", label, emailSchema, "", { required: true, ...options });
}

/** An e-mail address, or null. */
export function optionalEmail(
  label: string,
  options: Options<string | null> = {},
): Field<string | null> {
  return field("email", label, orNull(emailSchema), null, options);
}

/** Choices typed one per line; taken as text or as a list, stored as text (spec section 3). */
export function optionLines(label: string, options: Options<string> = {}): Field<string> {
  const schema = v.pipe(
    v.nullable(v.union([v.string(), v.array(v.string())], "Give one option per line.")),
    v.transform((input) => (Array.isArray(input) ? input.join("\n") : (input ?? ""))),
    words(10_000),
  );
  return field("options", label, schema, "", options);
}

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
  return field("none", label, v.nullable(v.pipe(v.string(), v.isoTimestamp())), null, { setBy });
}

/** A value of the server's own, of any shape, which no client sets. */
export function internal<T>(
  label: string,
  schema: v.GenericSchema<unknown, T>,
  initial: T,
): Field<T> {
  return field("none", label, schema, initial, { setBy: "create", audience: "owner" });
}
