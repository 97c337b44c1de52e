/** Declares kinds of field, and fields with their label, check and initial value. */
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { createTooLongMessage } from "../core/formatNumber.ts";
import { hasControlCharacters, CONTROL_CHARACTERS_MESSAGE } from "../core/invisibleCharacters.ts";
import type { Permission } from "../core/roles.ts";

/** The properties of all fields of a kind. web/admin/editor/FieldInput.tsx declares each kind's input by `name`. */
interface Kind {
  readonly name: string;
  /** True if forms have no input for this kind, since the server or a special editor sets the value. */
  readonly hasNoInput: boolean;
  /** True if inputs count the characters of fields with a maximum length. */
  readonly hasCounter?: true;
  /** True if the server may store a typed text in another form. The input then shows the stored form. */
  readonly isNormalized?: true;
  /** True if values are HTML, which is sanitized when it is saved and again when it is shown. */
  readonly isHtml?: true;
  /** Returns the URLs of the pictures in a value, to find used uploads and to allow hosts in a page's CSP. */
  findPictures?(value: string): readonly string[];
  /** Returns a value as text for people; default: the trimmed text. */
  formatText?(value: string): string;
  /** Returns the description of a field's change; undefined for the default description. */
  describeChange?(label: string, before: unknown, after: unknown): string | undefined;
}

export const kind = <const Name extends string>(
  name: Name,
  traits: Omit<Kind, "name" | "hasNoInput"> = {},
): Kind & { readonly name: Name; readonly hasNoInput: false } => ({
  ...traits,
  name,
  hasNoInput: false,
});

export const internalKind = (name: string): Kind => ({ name, hasNoInput: true });

/** One field of an entity. `schema` checks a client's input and converts it to the stored value. */
export interface Field<T = unknown> {
  readonly kind: Kind;
  readonly label: string;
  readonly schema: v.GenericSchema<unknown, T>;
  readonly initial: T;
  /** True if the value must be present and not empty. */
  readonly required: boolean;
  /** The readers of the field. A field for the owner is never sent to visitors. */
  readonly audience: "everyone" | "owner";
  /** The permission that a change of the field needs, in addition to the entity's permission. */
  readonly permission?: Permission;
  /** True if a change requires reauthentication: messages to any address that a visitor enters contain the value. */
  readonly isReauthenticationRequired?: true;
  /**
   * "client" if clients send the value. Otherwise only the server sets it: when an item is created ("create"), at each
   * write ("save"), when a list's item changes, even by a restore ("change"), or at other times ("server").
   */
  readonly setBy: "client" | "create" | "save" | "change" | "server";
  /** The milliseconds that are added to the current time when the server sets a timestamp. */
  readonly offsetMs?: number;
  /**
   * "named" for data of the person in the record, which owners can find and erase by email address. "trace" for traces
   * of a visit, which are removed after the retention period.
   */
  readonly personal?: "named" | "trace";
  /** Returns the texts in the value that contain personal data; default: all texts in the value. */
  listPersonTexts?(value: T): readonly string[];
  /**
   * Returns the message for an invalid new value; undefined for a valid one. The schema doesn't check these rules,
   * since values stored by earlier releases may break them.
   */
  findNewValueProblem?(value: T): string | undefined;
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

export type ValueOf<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** The message for an empty required field, unless the entity has a `missingFieldMessage` (check.ts). */
export const EMPTY_MESSAGE = "This can't be empty.";

export type FieldOptions<T> = Partial<Omit<Field<T>, "label" | "schema" | "kind">>;

export function field<T>(
  kind: Kind,
  label: string,
  schema: v.GenericSchema<unknown, T>,
  initial: T,
  options: FieldOptions<T> = {},
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

export const NOT_TEXT_MESSAGE = "This must be text.";

/** Returns the schema of a trimmed text of at most `maxLength` characters, without control characters. */
export const textSchema = (maxLength: number) =>
  v.pipe(
    boundedText(maxLength, NOT_TEXT_MESSAGE, createTooLongMessage(maxLength)),
    v.check((text) => !hasControlCharacters(text), CONTROL_CHARACTERS_MESSAGE),
  );

/** Returns a schema like `schema`, but an empty or missing value becomes null. */
export const orNull = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.unknown(),
    v.transform((input) => (input === "" || input === undefined ? null : input)),
    v.nullable(schema),
  ) as v.GenericSchema<unknown, T | null>;
