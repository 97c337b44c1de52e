/**
 * Converts a site in a database to an archive's files and back: engines can exchange archives, and readers support
 * only one format.
 */
import type { StoredItem } from "../../../schema/entities/entity.ts";
import { entityByName } from "../../../schema/index.ts";
import { cannotOpen } from "../../shared/errors.ts";
import { parseEntryPath } from "../archive/entries.ts";
import {
  documentFiles,
  type StoredRecord,
  listFiles,
  markerFiles,
  versionOf,
} from "../archive/write.ts";
import { type Envelope, readHeader } from "../envelope.ts";
import type { StoredFile } from "../store.ts";
import type { Database, Queries } from "./database.ts";
import { recordsTable, rowsOf } from "./recordColumns.ts";
import { type Meta, readMeta, setMeta, tableExists } from "./meta.ts";
import { makeRecordsTable, makeTables, TABLES_VERSION } from "./tables.ts";
import { encodeNul } from "./whereSql.ts";

/** A snapshot of everything, without the secret. Empty without a site. */
export async function* siteFiles(database: Database): AsyncGenerator<StoredFile> {
  const connection = await database.sql.reserve();
  try {
    await connection.unsafe("begin isolation level repeatable read read only");
    const meta = await readMeta(database, connection);
    if (meta.siteId) yield* filesOf(database, connection, meta as Meta);
  } finally {
    await connection.unsafe("rollback").then(undefined, () => undefined);
    await connection.release();
  }
}

async function* filesOf(
  database: Database,
  queries: Queries,
  meta: Meta,
): AsyncGenerator<StoredFile> {
  const history: { name: string; revision: string }[] = await queries.unsafe(
    `select name, revision from ${database.table("history")} order by name, revision`,
  );
  for (const { name, revision } of history) {
    const [row]: [Row] = await queries.unsafe(
      `select * from ${database.table("history")} where name = $1 and revision = $2::bigint`,
      [name, revision],
    );
    yield versionOf(envelopeOf(name, row));
  }
  const { siteId: id, createdAt } = meta;
  const entities = JSON.parse(meta.entities) as string[];
  for (const name of entities.toSorted())
    if (await tableExists(queries, database.table(recordsTable(name))))
      yield* listFiles(
        { name, version: currentVersion(name) },
        createdAt,
        recordsOf(database, queries, name),
      );
  const documents: (Row & { name: string })[] = await queries.unsafe(
    `select * from ${database.table("documents")} order by name`,
  );
  for (const row of documents) yield* documentFiles(envelopeOf(row.name, row));
  yield* markerFiles({ id, createdAt, entities });
}

/** Of an entity that this release has; another's list is left as the first version made it. */
const currentVersion = (name: string) => entityByName(name)?.version ?? 1;

interface Row {
  readonly version: number;
  readonly revision: string;
  readonly saved_at: string;
  readonly value: unknown;
}

const envelopeOf = (entity: string, row: Row): Envelope<unknown> => ({
  entity,
  version: row.version,
  revision: Number(row.revision),
  savedAt: row.saved_at,
  value: row.value,
});

async function* recordsOf(
  database: Database,
  queries: Queries,
  name: string,
): AsyncGenerator<StoredRecord> {
  for await (const rows of rowsOf(queries, database.table(recordsTable(name)))) yield* rows;
}

/** Stores an archive's contents, replacing everything. Throws `cannot_open` for a file with both copies damaged. */
export async function putFiles(
  database: Database,
  queries: Queries,
  files: AsyncIterable<StoredFile>,
): Promise<void> {
  await makeTables(database, queries);
  // Rows from an earlier call that was killed at its end.
  for (const table of ["documents", "history"])
    await queries.unsafe(`delete from ${database.table(table)}`);
  const made = new Set<string>();
  const put = new Set<string>();
  const damaged = new Set<string>();
  for await (const { path, bytes } of files) {
    const entry = parseEntryPath(path);
    const file = entry?.copyOf ?? path;
    if (!entry || entry.kind === "list" || put.has(file)) continue;
    const envelope = readHeader(bytes);
    if (!envelope) {
      // Like a folder, it skips unreadable earlier revisions.
      if (entry.kind !== "version") damaged.add(file);
      continue;
    }
    put.add(file);
    if (entry.kind === "marker") await putMarker(database, queries, envelope);
    else if (entry.kind === "segment") {
      if (!made.has(entry.entity)) await makeEmpty(database, queries, entry.entity);
      made.add(entry.entity);
      await putSegment(database, queries, envelope);
    } else
      await putRow(database, queries, entry.kind === "version" ? "history" : "documents", envelope);
  }
  const lost = [...damaged].find((file) => !put.has(file));
  if (lost !== undefined)
    throw cannotOpen(`${lost} is damaged, and so is its copy. Nothing was changed.`);
}

async function makeEmpty(database: Database, queries: Queries, name: string): Promise<void> {
  await makeRecordsTable(database, queries, name);
  await queries.unsafe(`delete from ${database.table(recordsTable(name))}`);
}

const putRow = (
  database: Database,
  queries: Queries,
  table: "documents" | "history",
  { entity, version, revision, savedAt, value }: Envelope<unknown>,
) =>
  queries.unsafe(
    `insert into ${database.table(table)} (name, version, revision, saved_at, value)
      values ($1, $2::int, $3::bigint, $4, $5::text::json)`,
    [entity, version, revision, savedAt, JSON.stringify(value)],
  );

async function putSegment(
  database: Database,
  queries: Queries,
  { entity, version, value }: Envelope<unknown>,
): Promise<void> {
  const rows = (value as StoredItem[]).map((record) => {
    const text = JSON.stringify(record);
    return { id: encodeNul(record.id), bytes: Buffer.byteLength(text), value: text };
  });
  // The next start fills the other columns by the declarations of that time.
  await queries.unsafe(
    `insert into ${database.table(recordsTable(entity))} (id, version, keys, search, bytes, value)
      select id, $2::int, '{}', '', bytes, value::json
      from json_to_recordset($1::text::json) as r(id text, bytes int, value text)`,
    [JSON.stringify(rows), version],
  );
}

async function putMarker(
  database: Database,
  queries: Queries,
  { value }: Envelope<unknown>,
): Promise<void> {
  const { id, createdAt, entities } = value as Record<string, unknown>;
  await setMeta(database, queries, {
    tableVersion: String(TABLES_VERSION),
    siteId: String(id),
    createdAt: String(createdAt),
    entities: JSON.stringify(entities),
    nobody: "",
  });
}
