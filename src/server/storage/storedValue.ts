/** Migrates stored values to the current schema, and canonicalizes values before they are stored. */
import * as v from "valibot";
import type { Entity, Migrations } from "../../schema/entities/entity.ts";
import { cannotOpen, schemaViolation } from "../shared/errors.ts";

export interface StoredFormat<T> {
  entity: string;
  /** The location that a file's content must name. If it names another, the file was copied to the wrong place. */
  location: string;
  version: number;
  schema: v.GenericSchema<unknown, T>;
  migrations: Migrations;
  /** The names of the value's fields, or of each item's fields if the value is a list. */
  fields?: readonly string[];
  /** True if a value with a valid checksum is only checked for missing fields, since full checks of lists are slow. */
  isTrusted?: boolean;
}

/** Migrates a stored value to the current schema. Throws `cannot_open` if it can't be migrated. */
export function migrateStoredValue<T>(
  format: StoredFormat<T>,
  version: number,
  storedValue: unknown,
  hasValidChecksum: boolean,
): T {
  if (version !== format.version) return migrate(format, version, storedValue);
  if (hasValidChecksum && format.isTrusted && hasAllFields(format, storedValue))
    return storedValue as T;
  const value = parseOrThrow(format.schema, format.entity, storedValue);
  if (!hasValidChecksum && !equalsStored(format.fields, value, storedValue))
    throw new Error("has unknown keys");
  return value;
}

function hasAllFields(
  { fields = [] }: Pick<StoredFormat<unknown>, "fields">,
  storedValue: unknown,
): boolean {
  const items = Array.isArray(storedValue) ? storedValue : [storedValue];
  return items.every((item) => isObject(item) && fields.every((field) => field in item));
}

/** Without this check, a field with a damaged name would be taken for missing and get its initial value. */
function equalsStored(
  fields: readonly string[] = [],
  value: unknown,
  storedValue: unknown,
): boolean {
  if (Bun.deepEquals(value, storedValue)) return true;
  if (Array.isArray(value) && Array.isArray(storedValue))
    return value.every((item, index) => equalsStored(fields, item, storedValue[index]));
  if (!isObject(value) || !isObject(storedValue)) return false;
  const equalsField = ([name, each]: [string, unknown]) =>
    fields.includes(name) && Bun.deepEquals(value[name], each);
  return Object.entries(storedValue).every(equalsField);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function migrate<T>(format: StoredFormat<T>, storedVersion: number, value: unknown): T {
  const { entity, version } = format;
  if (storedVersion > version) {
    throw cannotOpen(
      `The data of "${entity}" was written by a newer release (data version ${storedVersion}; this one supports up to ${version}). Start the newer release again, or restore a backup made with this one.`,
    );
  }
  try {
    return parseOrThrow(format.schema, entity, applyMigrations(format, storedVersion, value));
  } catch (error) {
    throw cannotOpen(
      `The data of "${entity}" couldn't be migrated from version ${storedVersion} to ${version}. The data is unchanged. Start the earlier release again, and report this.`,
      error,
    );
  }
}

function applyMigrations(
  { version, migrations }: Pick<StoredFormat<unknown>, "version" | "migrations">,
  storedVersion: number,
  value: unknown,
): unknown {
  let migrated = value;
  for (let currentVersion = storedVersion; currentVersion < version; currentVersion++) {
    const migration = migrations[currentVersion];
    if (!migration) throw new Error(`no migration from version ${currentVersion}`);
    migrated = migration(migrated);
  }
  return migrated;
}

/** Migrates an item of a list to the current schema. Throws an Error if a migration is missing. */
export function migrateItem(
  { version, migrations = {}, shape }: Pick<Entity, "version" | "migrations" | "shape">,
  storedVersion: number,
  item: unknown,
): unknown {
  // The migrations of a collection expect a list, so a collection's item is migrated as a list of one item.
  if (shape !== "collection") return applyMigrations({ version, migrations }, storedVersion, item);
  return (applyMigrations({ version, migrations }, storedVersion, [item]) as unknown[])[0];
}

/** Returns the value as it would be read back from JSON, checked and deeply frozen. Throws `invalid_value`. */
export function canonicalize<T>(
  schema: v.GenericSchema<unknown, T>,
  name: string,
  value: unknown,
): T {
  const text = JSON.stringify(value);
  return deepFreeze(parseOrThrow(schema, name, text === undefined ? undefined : JSON.parse(text)));
}

/** The frozen items that `toCanonicalList` returned, each with the schema against which it was checked. */
const canonicalItems = new WeakMap<object, unknown>();

/** Converts a list as `canonicalize` does. Items that are already canonical aren't checked again. */
export function toCanonicalList<T extends object>(
  itemSchema: v.GenericSchema<unknown, T>,
  name: string,
  list: readonly unknown[],
): readonly T[] {
  const canonicalList = list.map((each) => {
    if (canonicalItems.get(each as object) === itemSchema) return each as T;
    const canonicalItem = canonicalize(itemSchema, name, each);
    canonicalItems.set(canonicalItem, itemSchema);
    return canonicalItem;
  });
  return Object.freeze(canonicalList);
}

/** Returns the parsed value. Throws `invalid_value`, which names the invalid fields but never contains values. */
export function parseOrThrow<T>(
  schema: v.GenericSchema<unknown, T>,
  name: string,
  value: unknown,
): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const fields = result.issues.map((issue) => v.getDotPath(issue) ?? "the top level");
  const fieldNames = [...new Set(fields)].slice(0, 5).join(", ");
  throw schemaViolation(`The value of ${name} doesn't match its schema (at ${fieldNames}).`);
}

/** Freezes a value from JSON with all nested values. An object that is already frozen must be deeply frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const name in value) deepFreeze(value[name]);
  return Object.freeze(value);
}
