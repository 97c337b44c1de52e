/** Creates and migrates a site's tables. A column that the previous release needs is removed one release later. */
import { randomUUID } from "node:crypto";
import {
  type Entity,
  getEntityFields,
  type RecordsEntity,
  type StoredItem,
} from "../../../schema/entities/entity.ts";
import { cannotOpen, cannotOpenDamaged } from "../../shared/errors.ts";
import { createDocumentSpec, createRecordsSpec, type RecordsSpec } from "../entitySpecs.ts";
import { canonicalize, migrateStoredValue } from "../storedValue.ts";
import type { Queries, SiteQueries } from "./database.ts";
import { isOnlyInstance } from "./instanceLock.ts";
import { readMeta, setMeta, type SiteMeta } from "./meta.ts";
import {
  getFacetColumnName,
  toColumns,
  getRecordsTableName,
  ROWS_FROM_JSON_SQL,
  readRows,
  createKeyColumnSql,
} from "./recordsSql.ts";

/** The version of the tables that this release creates. A database with a higher version is refused. */
export const TABLES_VERSION = 1;

export async function createTables(queries: SiteQueries): Promise<void> {
  const getTableName = (name: string) => queries.getTableName(name);
  for (const statement of [
    `create schema if not exists "${queries.address.schema}"`,
    `create table if not exists ${getTableName("meta")} (name text primary key, value text not null)`,
    `create table if not exists ${getTableName("marks")} (id text primary key, is_stored boolean not null)`,
    `create table if not exists ${getTableName("documents")} (name text primary key, version int not null,
      revision bigint not null, saved_at text not null, value json not null)`,
    `create table if not exists ${getTableName("history")} (name text not null, revision bigint not null,
      version int not null, saved_at text not null, value json not null, primary key (name, revision))`,
  ])
    await queries.unsafe(statement);
}

export async function createRecordsTable(queries: SiteQueries, name: string): Promise<void> {
  await queries.unsafe(
    `create table if not exists ${getRecordsTableName(queries, name)} (
      seq bigint generated always as identity primary key, id text not null unique, uniq text unique,
      version int not null, keys jsonb not null, search text not null, bytes int not null,
      value json not null)`,
  );
}

/** Creates and migrates the tables. Returns whether there was a site before. Throws `cannot_open`. */
export async function prepareTables(
  queries: SiteQueries,
  entities: readonly Entity[],
): Promise<boolean> {
  const meta = await readMeta(queries);
  const { location } = queries.address;
  if (meta.note)
    throw cannotOpenDamaged(
      `A restore of ${location} was interrupted. Run "limelight restore" with the same archive again. The data from before the restore is in a separate schema.`,
    );
  if (Number(meta.tableVersion ?? TABLES_VERSION) > TABLES_VERSION)
    throw cannotOpen(
      `The database ${location} was set up by a newer release. Start that release again, or restore a backup made with this one.`,
    );
  await createTables(queries);
  const storedEntities = JSON.parse(meta.entities ?? "[]") as string[];
  const preparation = { queries, meta, storedEntities, isAlone: await isOnlyInstance(queries) };
  for (const entity of entities)
    if (entity.shape === "records") await prepareRecords(preparation, entity);
    else await prepareDocument(preparation, entity);
  const names = [...new Set([...storedEntities, ...entities.map(({ name }) => name)])];
  if (!meta.siteId)
    await setMeta(queries, {
      tableVersion: String(TABLES_VERSION),
      siteId: randomUUID(),
      createdAt: new Date().toISOString(),
      nobody: "",
    });
  if (names.length !== storedEntities.length)
    await setMeta(queries, { entities: JSON.stringify(names) });
  return meta.siteId !== undefined;
}

interface Preparation {
  readonly queries: SiteQueries;
  readonly meta: Partial<SiteMeta>;
  readonly storedEntities: readonly string[];
  /** True if no other instance is running. Only then may data be migrated. */
  readonly isAlone: boolean;
}

async function prepareDocument(
  { queries, storedEntities, isAlone }: Preparation,
  entity: Exclude<Entity, RecordsEntity<any>>,
): Promise<void> {
  const { format, createInitialValue } = createDocumentSpec<unknown>(entity);
  const documents = queries.getTableName("documents");
  const [storedRow]: { version: number; value: unknown }[] = await queries.unsafe(
    `select version, value from ${documents} where name = $1`,
    [entity.name],
  );
  if (!storedRow) {
    if (storedEntities.includes(entity.name))
      throw cannotOpenDamaged(
        `The database ${queries.address.location} is missing "${entity.name}". Restore a backup. Nothing was changed.`,
      );
    await queries.unsafe(
      `insert into ${documents} (name, version, revision, saved_at, value) values ($1, $2::int, 1, $3, $4::text::json)`,
      [
        entity.name,
        format.version,
        new Date().toISOString(),
        JSON.stringify(canonicalize(format.schema, entity.name, createInitialValue())),
      ],
    );
    return;
  }
  const value = migrateStoredValue(format, storedRow.version, storedRow.value, true);
  if (storedRow.version === format.version) return;
  assertAlone(queries, isAlone);
  await queries.unsafe(
    `update ${documents} set version = $2::int, value = $3::text::json where name = $1`,
    [entity.name, format.version, JSON.stringify(value)],
  );
}

async function prepareRecords(
  { queries, meta, isAlone }: Preparation,
  entity: RecordsEntity,
): Promise<void> {
  await createRecordsTable(queries, entity.name);
  const spec = createRecordsSpec<StoredItem, any>(entity);
  const fingerprintName = `columns ${entity.name}` as const;
  const fingerprint = computeColumnsFingerprint(entity, spec);
  const storedFingerprint = meta[fingerprintName];
  if (storedFingerprint === fingerprint) return;
  const table = getRecordsTableName(queries, entity.name);
  for await (const { seq, version, value } of readRows(queries, table)) {
    if (storedFingerprint !== undefined) assertAlone(queries, isAlone);
    const record = spec.migrate(version, value);
    await queries.unsafe(
      `update ${table} t set uniq = r.uniq, version = $2::int, keys = r.keys, search = r.search,
        bytes = r.bytes, value = r.value::json from ${ROWS_FROM_JSON_SQL} where t.seq = $3::bigint`,
      [JSON.stringify([toColumns(spec, record)]), entity.version, seq],
    );
  }
  await indexFacets(queries, spec);
  await createIndexes(queries, entity, table);
  await setMeta(queries, { [fingerprintName]: fingerprint });
}

/** The table's columns depend on these properties. If one changes, a start fills the columns again. */
const computeColumnsFingerprint = (
  entity: RecordsEntity,
  { facets, parentKey: parent }: RecordsSpec<StoredItem, any>,
) =>
  JSON.stringify({
    version: entity.version,
    search: "without accents",
    keys: entity.keys,
    facets,
    parent,
    unique: entity.uniqueField ?? null,
    named: Object.entries(getEntityFields(entity)).flatMap(([name, { personal }]) =>
      personal === "named" ? name : [],
    ),
  });

async function createIndexes(
  queries: Queries,
  { name, collectedAtField, sparseKeys = [] }: RecordsEntity,
  table: string,
): Promise<void> {
  const createIndexName = (field: string) => `"${name}-${field}"`;
  if (collectedAtField)
    await queries.unsafe(
      `create index if not exists ${createIndexName(collectedAtField)} on ${table} (${createKeyColumnSql(collectedAtField)} collate "C")`,
    );
  for (const field of sparseKeys)
    await queries.unsafe(
      `create index if not exists ${createIndexName(field)} on ${table} (${createKeyColumnSql(field)} collate "C") where ${createKeyColumnSql(field)} is not null`,
    );
  const extensions: unknown[] = await queries.unsafe(
    "select 1 from pg_extension where extname = 'pg_trgm'",
  );
  if (extensions.length > 0)
    await queries.unsafe(
      `create index if not exists ${createIndexName("search")} on ${table} using gin (search gin_trgm_ops)`,
    );
}

/** Throws `cannot_open` if other instances are running, since their older release couldn't read migrated data. */
function assertAlone({ address }: SiteQueries, isAlone: boolean): void {
  if (isAlone) return;
  throw cannotOpen(
    `This release migrates the data in ${address.location}, but other instances are running. Stop them all, start this one, then start the others with the same release. Nothing was changed.`,
  );
}

/**
 * Adds an index for each facet, so that records can be counted from an index alone. A second index on the parent, in
 * the list's order, quickly finds pages far from the beginning.
 */
async function indexFacets(
  queries: SiteQueries,
  { name, facets, parentKey }: RecordsSpec<StoredItem, any>,
): Promise<void> {
  const table = getRecordsTableName(queries, name);
  const createIndexName = (suffix: string) => `${name}-${suffix}`;
  for (const each of ["pages", ...facets])
    await queries.unsafe(`drop index if exists ${queries.getTableName(createIndexName(each))}`);
  // All columns are added in one statement, since each `alter table` rewrites the whole table.
  const columns = facets.map(
    (facet) =>
      `add column if not exists ${getFacetColumnName(facet)} text generated always as (${createKeyColumnSql(facet)}) stored`,
  );
  if (columns.length > 0) await queries.unsafe(`alter table ${table} ${columns.join(", ")}`);
  const listOtherColumns = (facet: string) =>
    facets.filter((each) => each !== facet).map(getFacetColumnName);
  for (const facet of facets)
    await queries.unsafe(
      `create index "${createIndexName(facet)}" on ${table} (${[getFacetColumnName(facet), ...listOtherColumns(facet)].join(", ")})`,
    );
  // The table is vacuumed more often, since only vacuumed records can be counted from an index alone.
  await queries.unsafe(`alter table ${table} set (autovacuum_vacuum_insert_scale_factor = 0.02)`);
  if (parentKey !== undefined) {
    const otherColumns = listOtherColumns(parentKey).join(", ");
    await queries.unsafe(
      `create index "${createIndexName("pages")}" on ${table} (${getFacetColumnName(parentKey)}, seq) ${otherColumns && `include (${otherColumns})`}`,
    );
  }
}
