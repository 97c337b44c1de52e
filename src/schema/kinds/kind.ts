/** Declares kinds of fields, and fields with their label, check and initial value. */
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { createTooLongMessage } from "../core/formatNumber.ts";
import { hasControlCharacters, CONTROL_CHARACTERS_MESSAGE } from "../core/invisibleCharacters.ts";
import type { Permission } from "../core/roles.ts";

/**
 * A kind of field: what all its fields have in common. Its input in the dashboard is declared by the kind's name in
 * web/admin/editor/FieldInput.tsx.
 */
interface Kind {
  readonly name: string;
  /** True if no form has an input for it: the server sets the value, or a dedicated part of the dashboard does. */
  readonly hasNoInput: boolean;
  /** Inputs show a character count if the field has a maximum length. */
  readonly hasCounter?: true;
  /** Typed text may be another spelling of a value; the input then shows the value instead. */
  readonly isNormalized?: true;
  /** Values are HTML: sanitized when they are saved, and again when they are shown. */
  readonly isHtml?: true;
  /** Returns the URLs of a value's pictures, to find uploads in use, and hosts for a page's security policy. */
  findPictures?(value: string): readonly string[];
  /** A value as text for people; default: the trimmed text. */
  formatText?(value: string): string;
  /** Describes a change of a field; undefined for the default descriptions. */
  describeChange?(label: string, before: unknown, after: unknown): string | undefined;
}

/** Declares a kind with an input in forms. */
export const kind = <const Name extends string>(
  name: Name,
  traits: Omit<Kind, "name" | "hasNoInput"> = {},
): Kind & { readonly name: Name; readonly hasNoInput: false } => ({
  ...traits,
  name,
  hasNoInput: false,
});

/** Declares a kind without an input in forms. */
export const internalKind = (name: string): Kind => ({ name, hasNoInput: true });

/** One field of an entity. `schema` takes a client's input and returns the stored value. */
export interface Field<T = unknown> {
  readonly kind: Kind;
  readonly label: string;
  readonly schema: v.GenericSchema<unknown, T>;
  readonly initial: T;
  /** Must be present and not empty. */
  readonly required: boolean;
  /** "owner": never sent to visitors. */
  readonly audience: "everyone" | "owner";
  /** The permission needed to change the field, in addition to the entity's. */
  readonly permission?: Permission;
  /** A change requires reauthentication: the value is mailed to addresses that anyone may have typed. */
  readonly isReauthenticationRequired?: true;
  /**
   * "client" if clients set the field. Otherwise the server sets it, and ignores clients' values. "create" and "save":
   * at these writes. "change": when an item of a list becomes different, even by a restore. "server": at other times.
   */
  readonly setBy: "client" | "create" | "save" | "change" | "server";
  /** An offset added to the time that the server sets, in milliseconds. */
  readonly offsetMs?: number;
  /**
   * "named": the value names a record's person. It is included when the data of an email address is shown or erased.
   * "trace": the value was left by a visit, and is removed after the retention days.
   */
  readonly personal?: "named" | "trace";
  /** The texts in the value that name the person; default: every text in it. */
  listPersonTexts?(value: T): readonly string[];
  /**
   * Returns why a new value is refused. For rules added later: stored values may break them, so the schema can't check
   * them.
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

/** The stored value of a set of fields. */
export type ValueOf<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** The message for an empty required field; `check.ts` replaces it by the entity's own. */
export const EMPTY_MESSAGE = "This can't be empty.";

export type FieldOptions<T> = Partial<Omit<Field<T>, "label" | "schema" | "kind">>;

/** Creates a field, with defaults for omitted options. */
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

/** Trimmed text of at most `maxLength` characters, without control characters. */
export const textSchema = (maxLength: number) =>
  v.pipe(
    boundedText(maxLength, NOT_TEXT_MESSAGE, createTooLongMessage(maxLength)),
    v.check((text) => !hasControlCharacters(text), CONTROL_CHARACTERS_MESSAGE),
  );

/** Like `schema`, but an empty or missing value becomes null. */
export const orNull = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.unknown(),
    v.transform((input) => (input === "" || input === undefined ? null : input)),
    v.nullable(schema),
  ) as v.GenericSchema<unknown, T | null>;
