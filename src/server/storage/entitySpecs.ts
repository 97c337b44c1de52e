/** Derives what engines need from the declaration of an entity. */
import * as v from "valibot";
import {
  getInitialValues,
  createItemSchema,
  createStoredSchema,
} from "../../schema/entities/check.ts";
import {
  type Collection,
  getEntityFields,
  type Migrations,
  createPersonTextFinder,
  type RecordsEntity,
  type Singleton,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { TOGGLE } from "../../schema/kinds/fields.ts";
import { type StoredFormat, migrateStoredValue } from "./storedValue.ts";

/** The maximum number of earlier revisions that are stored for each document. */
export const MAX_REVISIONS = 50;

export interface DocumentSpec<T> {
  readonly entity: Singleton | Collection;
  readonly format: StoredFormat<T>;
  /** The schema of one item if the value is a list, else undefined. */
  readonly itemSchema: v.GenericSchema<unknown, object> | undefined;
  readonly createInitialValue: () => T;
}

export interface RecordsSpec<T extends { id: string }, K> {
  /** The entity's name, which is also the name of its folder in a data folder. */
  readonly name: string;
  readonly version: number;
  readonly schema: v.GenericSchema<unknown, T>;
  /** Migrates a record stored by this or an earlier release. Throws `cannot_open` if the record can't be migrated. */
  readonly migrate: (version: number, record: unknown) => T;
  /** Whether a stored record has all fields of this release. */
  readonly isComplete: (record: T) => boolean;
  readonly createSegmentFormat: (segment: number) => StoredFormat<T[]>;
  /** Returns the keys of a record: the fields by which records can be filtered. */
  readonly getKeys: (record: T) => K;
  /** True if the records are stored even on a full disk, in the reserved space. */
  readonly isNeededOnFullDisk: boolean;
  /** The keys by which records are counted: the parent's id, choices and booleans, which have few different values. */
  readonly facets: readonly (keyof K & string)[];
  /** The key that contains the parent's id; undefined if the records have no parent. */
  readonly parentKey: string | undefined;
  readonly booleanKeys: ReadonlySet<string>;
  readonly getSearchTexts: (record: T) => string[];
  /** Returns the unique key besides the id, such as an email address in lower case. Undefined if there is none. */
  readonly getUniqueKey: ((record: T) => string) | undefined;
}

export function createDocumentSpec<T>(entity: Singleton | Collection): DocumentSpec<T> {
  const { name, version, migrations = {} } = entity;
  const schema = createStoredSchema(entity) as v.GenericSchema<unknown, T>;
  return {
    entity,
    format: {
      entity: name,
      location: name,
      version,
      schema,
      migrations,
      fields: Object.keys(getEntityFields(entity)),
    },
    itemSchema: entity.shape === "collection" ? createItemSchema(entity) : undefined,
    createInitialValue: () =>
      (entity.shape === "singleton" ? getInitialValues(entity.fields) : []) as T,
  };
}

export function createRecordsSpec<T extends { id: string }, K>(
  entity: RecordsEntity,
): RecordsSpec<T, K> {
  const { name, version, migrations = {}, keys, uniqueField, isNeededOnFullDisk = false } = entity;
  const schema = createStoredSchema(entity) as v.GenericSchema<unknown, T>;
  const fields = Object.keys(getEntityFields(entity));
  const segmentFormat = {
    entity: name,
    version,
    schema: v.array(schema),
    migrations: toSegmentMigrations(migrations),
    fields,
    isTrusted: true,
  };
  const findTexts = createPersonTextFinder(entity);
  const getField = (record: T, field: string) => (record as Record<string, unknown>)[field];
  return {
    name,
    version,
    schema,
    isNeededOnFullDisk,
    migrate: (from, record) =>
      migrateStoredValue(
        { entity: name, location: name, version, schema, migrations },
        from,
        record,
        true,
      ),
    isComplete: (record) => fields.every((field) => field in record),
    createSegmentFormat: (segment) => ({ ...segmentFormat, location: `${name}/${segment}` }),
    facets: keys.filter((field) => isFacet(entity, field)) as (keyof K & string)[],
    parentKey: entity.parent?.field,
    booleanKeys: new Set(keys.filter((field) => getEntityFields(entity)[field]?.kind === TOGGLE)),
    getSearchTexts: (record) => findTexts(record as StoredItem),
    getKeys(record) {
      const pickedKeys: Record<string, unknown> = {};
      for (const field of keys) pickedKeys[field] = getField(record, field);
      return pickedKeys as K;
    },
    getUniqueKey:
      uniqueField === undefined
        ? undefined
        : (record) => String(getField(record, uniqueField)).trim().toLowerCase(),
  };
}

function isFacet(entity: RecordsEntity, name: string): boolean {
  const field = getEntityFields(entity)[name];
  return field?.choices !== undefined || field?.kind === TOGGLE || entity.parent?.field === name;
}

const toSegmentMigrations = (migrations: Migrations): Migrations =>
  Object.fromEntries(
    Object.entries(migrations).map(([version, step]) => [
      version,
      (value: unknown) => (value as unknown[]).map((record) => step(record)),
    ]),
  );
