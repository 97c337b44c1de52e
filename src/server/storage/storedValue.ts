/** The way from a stored value to one of today's schema, and what a value is before it is stored. */
import * as v from "valibot";
import type { Entity, Migrations } from "../../schema/entity.ts";
import { cannotOpen, invalidValue } from "../shared/errors.ts";

/** How one file is read. */
export interface Format<T> {
  entity: string;
  /** Where the file belongs, so that one that stands in another's place is noticed. */
  place: string;
  version: number;
  schema: v.GenericSchema<unknown, T>;
  migrations: Migrations;
  /** The names of what the value has; of a list, what each of its items has. */
  fields?: readonly string[];
  /** Where its checksum is right it isn't looked at field by field, unless one was added since: of a long list this takes longer than all else. */
  isTrusted?: boolean;
}

/**
 * A stored value, brought to today's schema. `sealed`: it is known to be as it was written. Throws
 * `cannot_open` for a version it has no way from.
 */
export function valueOf<T>(
  format: Format<T>,
  version: number,
  stored: unknown,
  sealed: boolean,
): T {
  if (version !== format.version) return migrate(format, version, stored);
  // Bytes that the checksum was made of were written from a value of this type.
  if (sealed && format.isTrusted && hasAllFields(format, stored)) return stored as T;
  const value = fit(format.schema, format.entity, stored);
  if (!sealed && !isAsStored(format.fields, value, stored))
    throw new Error("has keys that do not belong there");
  return value;
}

function hasAllFields({ fields = [] }: Pick<Format<unknown>, "fields">, stored: unknown): boolean {
  const items = Array.isArray(stored) ? stored : [stored];
  return items.every((item) => isObject(item) && fields.every((field) => field in item));
}

/**
 * Whether a value is what is stored, but for fields that were added since. A damaged key would pass as one that is
 * missing, and silently get its first value; but it stands there as one that nobody knows.
 */
function isAsStored(fields: readonly string[] = [], value: unknown, stored: unknown): boolean {
  if (Bun.deepEquals(value, stored)) return true;
  if (Array.isArray(value) && Array.isArray(stored))
    return value.every((item, at) => isAsStored(fields, item, stored[at]));
  if (!isObject(value) || !isObject(stored)) return false;
  const same = ([name, each]: [string, unknown]) =>
    fields.includes(name) && Bun.deepEquals(value[name], each);
  return Object.entries(stored).every(same);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function migrate<T>(format: Format<T>, from: number, value: unknown): T {
  const { entity, version } = format;
  if (from > version) {
    throw cannotOpen(
      `The data of "${entity}" was written by a newer release (version ${from}, this one knows ${version}). Start that release again, or restore a backup made with this one.`,
    );
  }
  try {
    return fit(format.schema, entity, stepped(format, from, value));
  } catch (error) {
    throw cannotOpen(
      `The data of "${entity}" couldn't be migrated from version ${from} to ${version}. It is unchanged: start the earlier release again and report this.`,
      error,
    );
  }
}

/** What is migrated, and how. */
type Migrated = Pick<Format<unknown>, "version" | "migrations">;

function stepped({ version, migrations }: Migrated, from: number, value: unknown): unknown {
  let next = value;
  for (let at = from; at < version; at++) next = stepOf(migrations, at)(next);
  return next;
}

/** One item of a list as today's release stores it. Throws where a migration is missing or fails. */
export function migrated(
  { version, migrations = {}, shape }: Pick<Entity, "version" | "migrations" | "shape">,
  from: number,
  item: unknown,
): unknown {
  // The steps of a collection take the whole list.
  if (shape !== "collection") return stepped({ version, migrations }, from, item);
  return (stepped({ version, migrations }, from, [item]) as unknown[])[0];
}

function stepOf(migrations: Migrations, version: number): (value: unknown) => unknown {
  const step = migrations[version];
  if (!step) throw new Error(`no migration from version ${version}`);
  return step;
}

/**
 * What a value is before it is stored: exactly what reading it back would return, deeply frozen.
 * Through JSON first, because a value such as Infinity passes a schema and can not be read back.
 * Throws `invalid_value`.
 */
export function canonical<T>(schema: v.GenericSchema<unknown, T>, name: string, value: unknown): T {
  const text = JSON.stringify(value);
  return deepFreeze(fit(schema, name, text === undefined ? undefined : JSON.parse(text)));
}

/** Items that `canonicalList` has returned, by their schema: they need no second look, and never change. */
const known = new WeakMap<object, unknown>();

/**
 * The same for a list, item by item: those that are in it already are not looked at again, so that a change
 * of one in a thousand costs one.
 */
export function canonicalList<T extends object>(
  item: v.GenericSchema<unknown, T>,
  name: string,
  list: readonly unknown[],
): readonly T[] {
  const all = list.map((each) => {
    if (known.get(each as object) === item) return each as T;
    const made = canonical(item, name, each);
    known.set(made, item);
    return made;
  });
  return Object.freeze(all);
}

/** Throws `invalid_value` with the names of the fields that do not fit, never with the values. */
export function fit<T>(schema: v.GenericSchema<unknown, T>, name: string, value: unknown): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const fields = result.issues.map((issue) => v.getDotPath(issue) ?? "the whole");
  const named = [...new Set(fields)].slice(0, 5).join(", ");
  throw invalidValue(`The value of ${name} does not fit its schema (at ${named}).`);
}

/** For values that came from JSON: a tree of plain objects and arrays. What is frozen is so all through. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const name in value) deepFreeze(value[name]);
  return Object.freeze(value);
}
