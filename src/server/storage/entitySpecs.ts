/** An entity as the storage sees it: a document for a singleton or a collection, else records. */
import * as v from "valibot";
import { initialValues, itemSchema, storedSchema } from "../../schema/entities/check.ts";
import {
  type Collection,
  fieldsOf,
  type Migrations,
  personTexts,
  type RecordsEntity,
  type Singleton,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { TOGGLE } from "../../schema/kinds/fields.ts";
import { type Format, valueOf as presentValue } from "./storedValue.ts";

export interface DocumentSpec<T> {
  readonly entity: Singleton | Collection;
  readonly format: Format<T>;
  /** For one item, if the value is a list. */
  readonly item: v.GenericSchema<unknown, object> | undefined;
  /** The value of a fresh installation; called once. */
  readonly initial: () => T;
  /** Keeps the last 50 revisions. */
  readonly hasHistory: boolean;
}

export interface RecordsSpec<T extends { id: string }, K> {
  /** Also the name of its folder. */
  readonly name: string;
  readonly version: number;
  /** For one record. */
  readonly schema: v.GenericSchema<unknown, T>;
  /** A stored record of this or an earlier release, migrated. Throws `cannot_open` without a migration. */
  readonly migrated: (version: number, record: unknown) => T;
  /** Whether a stored record has all fields of this release. */
  readonly isComplete: (record: T) => boolean;
  /** The reader of a segment, by number. */
  readonly formatOf: (segment: number) => Format<T[]>;
  /** The part of a record held in memory. */
  readonly key: (record: T) => K;
  /** Written even on a full disk. */
  readonly isNeededOnFullDisk: boolean;
  /** Keys with few values, by which records are counted: parent, choices, booleans. */
  readonly facets: readonly (keyof K & string)[];
  /** The parent's key. */
  readonly parent: string | undefined;
  /** The boolean ones. */
  readonly booleanKeys: ReadonlySet<string>;
  readonly texts: (record: T) => string[];
  /** A second key, unique to a record, such as an address in lower case. */
  readonly unique: ((record: T) => string) | undefined;
}

/** `T` is the entity's stored value. */
export function documentSpec<T>(entity: Singleton | Collection): DocumentSpec<T> {
  const { name, version, migrations = {}, history } = entity;
  const schema = storedSchema(entity) as v.GenericSchema<unknown, T>;
  return {
    entity,
    format: {
      entity: name,
      place: name,
      version,
      schema,
      migrations,
      fields: Object.keys(fieldsOf(entity)),
    },
    item: entity.shape === "collection" ? itemSchema(entity) : undefined,
    initial: () => (entity.shape === "singleton" ? initialValues(entity.fields) : []) as T,
    hasHistory: history,
  };
}

/** `T` is a stored record of the entity, `K` the fields named in `keys`. */
export function recordsSpec<T extends { id: string }, K>(entity: RecordsEntity): RecordsSpec<T, K> {
  const { name, version, migrations = {}, keys, unique, isNeededOnFullDisk = false } = entity;
  const schema = storedSchema(entity) as v.GenericSchema<unknown, T>;
  const fields = Object.keys(fieldsOf(entity));
  const ofSegments = {
    entity: name,
    version,
    schema: v.array(schema),
    migrations: forEachItem(migrations),
    fields,
    isTrusted: true,
  };
  const names = personTexts(entity);
  const valueOf = (record: T, field: string) => (record as Record<string, unknown>)[field];
  return {
    name,
    version,
    schema,
    isNeededOnFullDisk,
    migrated: (from, record) =>
      presentValue({ entity: name, place: name, version, schema, migrations }, from, record, true),
    isComplete: (record) => fields.every((field) => field in record),
    formatOf: (segment) => ({ ...ofSegments, place: `${name}/${segment}` }),
    facets: keys.filter((field) => isFacet(entity, field)) as (keyof K & string)[],
    parent: entity.parent?.field,
    booleanKeys: new Set(keys.filter((field) => fieldsOf(entity)[field]?.kind === TOGGLE)),
    texts: (record) => names(record as StoredItem),
    key(record) {
      const key: Record<string, unknown> = {};
      for (const field of keys) key[field] = valueOf(record, field);
      return key as K;
    },
    unique:
      unique === undefined
        ? undefined
        : (record) => String(valueOf(record, unique)).trim().toLowerCase(),
  };
}

function isFacet(entity: RecordsEntity, name: string): boolean {
  const field = fieldsOf(entity)[name];
  return field?.choices !== undefined || field?.kind === TOGGLE || entity.parent?.field === name;
}

/** A migration takes one record; a segment has many. */
function forEachItem(migrations: Migrations): Migrations {
  const lifted = Object.entries(migrations).map(([version, step]) => [
    version,
    (value: unknown) => (value as unknown[]).map((record) => step(record)),
  ]);
  return Object.fromEntries(lifted) as Migrations;
}
