/** What the storage keeps, from the declarations of the schema: a document or records per entity. */
import type * as v from "valibot";
import { initialValues, storedSchema } from "../../schema/check.ts";
import type { Entity, RecordsEntity } from "../../schema/entity.ts";
import { allEntities } from "../../schema/index.ts";
import type { DocumentSpec, RecordsSpec } from "./store.ts";

/** A stored item of any entity. */
export type StoredItem = { id: string } & Record<string, unknown>;
/** What of a record stays in memory: the fields its entity names as keys. */
export type RecordKey = Readonly<Record<string, unknown>>;

/** One document for each singleton and each list. */
export function documentSpecs(): DocumentSpec<unknown>[] {
  return allEntities.filter((entity) => entity.shape !== "records").map(documentSpec);
}

/** One set of records for each entity that grows without end. */
export function recordsSpecs(): RecordsSpec<StoredItem, RecordKey>[] {
  return allEntities.filter((entity) => entity.shape === "records").map(recordsSpec);
}

function documentSpec(entity: Entity): DocumentSpec<unknown> {
  return {
    name: entity.name,
    version: entity.version,
    schema: storedSchema(entity),
    initial: () => (entity.shape === "singleton" ? initialValues(entity.fields) : []),
    keepHistory: entity.history,
    ...(entity.migrations && { migrations: entity.migrations }),
  };
}

function recordsSpec(entity: RecordsEntity<any>): RecordsSpec<StoredItem, RecordKey> {
  const { unique } = entity;
  return {
    name: entity.name,
    version: entity.version,
    schema: storedSchema(entity) as v.GenericSchema<unknown, StoredItem>,
    key: (record) => Object.fromEntries(entity.keys.map((name) => [name, record[name]])),
    ...(entity.migrations && { migrations: entity.migrations }),
    ...(unique && { unique: (record: StoredItem) => String(record[unique]).trim().toLowerCase() }),
  };
}
