/** What a kind of field is, and a field of one: its label, check, first value and input together. */
import * as v from "valibot";
import { boundedText } from "./boundedText.ts";
import { tooLong } from "./grouped.ts";
import { hasControls, NO_CONTROLS } from "./harmless.ts";

/**
 * A kind of field, and what of it holds for every field of the kind. Its maker stands below it, and its input in
 * the dashboard in web/admin/editor/FieldInput.tsx, under its name.
 */
interface Kind {
  readonly name: string;
  /** No form shows it: the server sets it, or a part of the dashboard that is about nothing else. */
  readonly isUnseen?: true;
  /** What is typed is counted beside it, where it has a length. */
  readonly isCounted?: true;
  /** Its values are HTML: cleaned when they are saved, and once more on their way out. */
  readonly isHtml?: true;
  /** The addresses of the pictures that a value shows: uploads in use, and hosts that a page's policy lets in. */
  picturesIn?(value: string): readonly string[];
  /** What a person reads of a value; by default the trimmed text. */
  textOf?(value: string): string;
  /** What became of a field in a list of changes, in words; undefined for the usual ones of a text. */
  changeOf?(label: string, before: unknown, after: unknown): string | undefined;
}

/** Declares a kind that forms have an input for, under its name. */
export const kind = <const Name extends string>(
  name: Name,
  traits: Omit<Kind, "name" | "isUnseen"> = {},
): Kind & { readonly name: Name } => ({ ...traits, name });

/** Declares a kind that no form shows. */
export const unseenKind = (name: string): Kind & { readonly isUnseen: true } => ({
  name,
  isUnseen: true,
});

/** One field of an entity. `schema` takes what a client sends and returns what is stored. */
export interface Field<T = unknown> {
  readonly kind: Kind;
  readonly label: string;
  readonly schema: v.GenericSchema<unknown, T>;
  readonly initial: T;
  /** Must be present and not empty. */
  readonly required: boolean;
  /** "owner": never sent to visitors. */
  readonly audience: "everyone" | "owner";
  /**
   * "create" and "save": set by the server at that moment and ignored when a client sends it; "server": at one of
   * its own.
   */
  readonly setBy: "client" | "create" | "save" | "server";
  /** How long after that moment it is, in milliseconds. */
  readonly ahead?: number;
  /**
   * "named": names the person a record is about, who can have it shown and erased by email address.
   * "trace": left behind by a visit, and removed after the retention days.
   */
  readonly personal?: "named" | "trace";
  /** The texts of the value that name the person; by default every text in it. */
  texts?(value: T): readonly string[];
  /**
   * Why a value is refused that the schema takes, because a stored one may be such: for rules that came
   * after values were stored.
   */
  refuses?(value: T): string | undefined;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly maxLength?: number;
  readonly choices?: readonly Choice[];
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export type Fields = Readonly<Record<string, Field<any>>>;

/** The stored value that a set of fields describes. */
export type ValueOf<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** The words for an empty required field; `check.ts` puts the entity's own sentence in their place. */
export const EMPTY = "This can't be empty.";

export type Options<T> = Partial<Omit<Field<T>, "label" | "schema" | "kind">>;

/** Makes a field, with the usual settings for what isn't given. */
export function field<T>(
  kind: Kind,
  label: string,
  schema: v.GenericSchema<unknown, T>,
  initial: T,
  options: Options<T> = {},
): Field<T> {
  return {
    kind,
    label,
    schema,
    initial,
    required: false,
    audience: "everyone",
    setBy: "client",
    ...options,
  };
}

export const NOT_TEXT = "This must be text.";

/** Trimmed text of at most so many characters, without invisible ones. */
export const words = (maxLength: number) =>
  v.pipe(
    boundedText(maxLength, NOT_TEXT, tooLong(maxLength)),
    v.check((text) => !hasControls(text), NO_CONTROLS),
  );

/** As `schema`, but empty or missing is null. */
export const orNull = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.unknown(),
    v.transform((input) => (input === "" || input === undefined ? null : input)),
    v.nullable(schema),
  ) as v.GenericSchema<unknown, T | null>;
