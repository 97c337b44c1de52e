/** Migrates stored values to the current schema, and canonicalizes values before they are stored. */
import * as v from "valibot";
import type { Entity, Migrations } from "../../schema/entities/entity.ts";
import { cannotOpen, invalidValue } from "../shared/errors.ts";

/** How a stored value is read: the expected entity, location and version, and the value's schema. */
export interface StoredFormat<T> {
  entity: string;
  /** The file's expected place, so a file in the wrong place is noticed. */
  place: string;
  version: number;
  schema: v.GenericSchema<unknown, T>;
  migrations: Migrations;
  /** The names of the value's fields; for a list, of each item's. */
  fields?: readonly string[];
  /** True to check values with a valid checksum only for missing fields, since a full check makes long lists slow. */
  isTrusted?: boolean;
}

/** Migrates a stored value. Throws `cannot_open` without a migration. */
export function migrateStoredValue<T>(
  format: StoredFormat<T>,
  version: number,
  stored: unknown,
  hasValidChecksum: boolean,
): T {
  if (version !== format.version) return migrate(format, version, stored);
  if (hasValidChecksum && format.isTrusted && hasAllFields(format, stored)) return stored as T;
  const value = parseOrThrow(format.schema, format.entity, stored);
  if (!hasValidChecksum && !equalsStored(format.fields, value, stored))
    throw new Error("has unknown keys");
  return value;
}

function hasAllFields(
  { fields = [] }: Pick<StoredFormat<unknown>, "fields">,
  stored: unknown,
): boolean {
  const items = Array.isArray(stored) ? stored : [stored];
  return items.every((item) => isObject(item) && fields.every((field) => field in item));
}

/**
 * Whether a parsed value equals the stored one, except for fields added since. Otherwise a damaged name of a field
 * would count as a missing field, and get the initial value.
 */
function equalsStored(fields: readonly string[] = [], value: unknown, stored: unknown): boolean {
  if (Bun.deepEquals(value, stored)) return true;
  if (Array.isArray(value) && Array.isArray(stored))
    return value.every((item, at) => equalsStored(fields, item, stored[at]));
  if (!isObject(value) || !isObject(stored)) return false;
  const isSameField = ([name, each]: [string, unknown]) =>
    fields.includes(name) && Bun.deepEquals(value[name], each);
  return Object.entries(stored).every(isSameField);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function migrate<T>(format: StoredFormat<T>, from: number, value: unknown): T {
  const { entity, version } = format;
  if (from > version) {
    throw cannotOpen(
      `The data of "${entity}" was written by a newer release (version ${from}, this one supports ${version}). Start that release again, or restore a backup made with this one.`,
    );
  }
  try {
    return parseOrThrow(format.schema, entity, applyMigrations(format, from, value));
  } catch (error) {
    throw cannotOpen(
      `The data of "${entity}" couldn't be migrated from version ${from} to ${version}. It is unchanged: start the earlier release again and report this.`,
      error,
    );
  }
}

function applyMigrations(
  { version, migrations }: Pick<StoredFormat<unknown>, "version" | "migrations">,
  from: number,
  value: unknown,
): unknown {
  let next = value;
  for (let at = from; at < version; at++) {
    const step = migrations[at];
    if (!step) throw new Error(`no migration from version ${at}`);
    next = step(next);
  }
  return next;
}

/** Migrates an item of a list to the current schema. Throws an Error if a migration is missing. */
export function migrateItem(
  { version, migrations = {}, shape }: Pick<Entity, "version" | "migrations" | "shape">,
  from: number,
  item: unknown,
): unknown {
  // A collection's migrations take the whole list.
  if (shape !== "collection") return applyMigrations({ version, migrations }, from, item);
  return (applyMigrations({ version, migrations }, from, [item]) as unknown[])[0];
}

/**
 * Converts a value to what reading it back would return, deeply frozen. Converts through JSON first, which can't store
 * values such as Infinity. Throws `invalid_value`.
 */
export function canonicalize<T>(
  schema: v.GenericSchema<unknown, T>,
  name: string,
  value: unknown,
): T {
  const text = JSON.stringify(value);
  return deepFreeze(parseOrThrow(schema, name, text === undefined ? undefined : JSON.parse(text)));
}

/** The items that `toCanonicalList` returned, which are frozen, with the schema that each was checked against. */
const canonicalItems = new WeakMap<object, unknown>();

/** Converts a list like `canonicalize`, but doesn't check items again that are canonical already. */
export function toCanonicalList<T extends object>(
  item: v.GenericSchema<unknown, T>,
  name: string,
  list: readonly unknown[],
): readonly T[] {
  const all = list.map((each) => {
    if (canonicalItems.get(each as object) === item) return each as T;
    const checked = canonicalize(item, name, each);
    canonicalItems.set(checked, item);
    return checked;
  });
  return Object.freeze(all);
}

/** Throws `invalid_value` with the names of invalid fields, never with values. */
export function parseOrThrow<T>(
  schema: v.GenericSchema<unknown, T>,
  name: string,
  value: unknown,
): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const fields = result.issues.map((issue) => v.getDotPath(issue) ?? "the top level");
  const named = [...new Set(fields)].slice(0, 5).join(", ");
  throw invalidValue(`The value of ${name} doesn't match its schema (at ${named}).`);
}

/** Freezes a value from JSON deeply. A frozen object counts as deeply frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const name in value) deepFreeze(value[name]);
  return Object.freeze(value);
}
