/** What the storage needs to know of an entity: a document of a singleton or a collection, else records. */
import * as v from "valibot";
import { initialValues, storedSchema } from "../../schema/check.ts";
import type { Collection, Migrations, RecordsEntity, Singleton } from "../../schema/entity.ts";
import type { Format } from "./envelope.ts";

interface Spec<T> {
  /** Also the name of the file or folder: letters, digits, dashes. */
  readonly name: string;
  /** The schema's version, from 1. */
  readonly version: number;
  /** Of the value or of one record; accepts its own output after a trip through JSON. */
  readonly schema: v.GenericSchema<unknown, T>;
  /** `migrations[n]` takes a value (or one record) of version n and returns one of version n + 1. */
  readonly migrations: Migrations;
}

export interface DocumentSpec<T> extends Spec<T> {
  /** The value of a fresh installation; asked for once. */
  readonly initial: () => T;
  /** Keep the last 50 revisions. */
  readonly keepHistory: boolean;
}

export interface RecordsSpec<T extends { id: string }, K> extends Spec<T> {
  /** What of a record stays in memory. */
  readonly key: (record: T) => K;
  /** A second key that only one record may have, such as an address in lower case. */
  readonly unique: ((record: T) => string) | undefined;
}

/** `T` is the entity's stored value. */
export function documentSpec<T>(entity: Singleton | Collection): DocumentSpec<T> {
  const { name, version, migrations = {}, history } = entity;
  return {
    name,
    version,
    migrations,
    schema: storedSchema(entity) as v.GenericSchema<unknown, T>,
    initial: () => (entity.shape === "singleton" ? initialValues(entity.fields) : []) as T,
    keepHistory: history,
  };
}

/** `T` is a stored record of the entity, `K` what it names in `keys`. */
export function recordsSpec<T extends { id: string }, K>(entity: RecordsEntity): RecordsSpec<T, K> {
  const { name, version, migrations = {}, keys, unique } = entity;
  const valueOf = (record: T, field: string) => (record as Record<string, unknown>)[field];
  return {
    name,
    version,
    migrations,
    schema: storedSchema(entity) as v.GenericSchema<unknown, T>,
    key: (record) => Object.fromEntries(keys.map((field) => [field, valueOf(record, field)])) as K,
    unique:
      unique === undefined
        ? undefined
        : (record) => String(valueOf(record, unique)).trim().toLowerCase(),
  };
}

/** How the file of a document is read. */
export function documentFormat<T>(spec: DocumentSpec<T>): Format<T> {
  const { name, version, schema, migrations } = spec;
  return { entity: name, version, schema, migrations };
}

/** How a segment of records is read. */
export function segmentFormat<T extends { id: string }, K>(spec: RecordsSpec<T, K>): Format<T[]> {
  const { name, version, schema, migrations } = spec;
  return { entity: name, version, schema: v.array(schema), migrations: ofEach(migrations) };
}

function ofEach(migrations: Migrations): Migrations {
  const lifted = Object.entries(migrations).map(([version, step]) => [
    version,
    (value: unknown) => (value as unknown[]).map((record) => step(record)),
  ]);
  return Object.fromEntries(lifted) as Migrations;
}
