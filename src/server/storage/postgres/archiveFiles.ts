/** Converts a site in a database to the files of an archive and back. All engines create and read the same files. */
import type { StoredItem } from "../../../schema/entities/entity.ts";
import { findEntityByName } from "../../../schema/index.ts";
import { cannotOpen } from "../../shared/errors.ts";
import {
  createDocumentFileName,
  isFullSegment,
  SEGMENT_LIST_FILE,
  createSegmentListFormat,
  MARKER_FILE,
  type SiteMarker,
  markerFormat,
  parseEntryPath,
  createSegmentFileName,
  createRevisionFileName,
} from "../archiveEntries.ts";
import { encodeEnvelope, type Envelope, parseAnyEnvelope } from "../envelope.ts";
import type { StoredFile } from "../store.ts";
import type { Database, SiteQueries } from "./database.ts";
import type { DocumentRow } from "./pgDocument.ts";
import { getRecordsTableName, readRows, type RecordRow, encodeNul } from "./recordsSql.ts";
import { type SiteMeta, readMeta, setMeta, hasTable } from "./meta.ts";
import { createRecordsTable, createTables, TABLES_VERSION } from "./tables.ts";

/** Reads a snapshot of all data except the secret, as files. There are no files if the database has no site. */
export async function* readSiteFiles(database: Database): AsyncGenerator<StoredFile> {
  const connection = await database.sql.reserve();
  try {
    await connection.unsafe("begin isolation level repeatable read read only");
    const queries = database.toSiteQueries(connection);
    const meta = await readMeta(queries);
    if (meta.siteId) yield* readFiles(queries, meta as SiteMeta);
  } finally {
    await connection.unsafe("rollback").then(undefined, () => undefined);
    await connection.release();
  }
}

async function* readFiles(queries: SiteQueries, meta: SiteMeta): AsyncGenerator<StoredFile> {
  const history: { name: string; revision: string }[] = await queries.unsafe(
    `select name, revision from ${queries.getTableName("history")} order by name, revision`,
  );
  for (const { name, revision } of history) {
    const [row]: [DocumentRow] = await queries.unsafe(
      `select * from ${queries.getTableName("history")} where name = $1 and revision = $2::bigint`,
      [name, revision],
    );
    yield createStoredFile(createRevisionFileName(name, revision), name, toEnvelope(name, row));
  }
  const { siteId: id, createdAt } = meta;
  const entities = JSON.parse(meta.entities) as string[];
  for (const name of entities.toSorted()) {
    const table = getRecordsTableName(queries, name);
    if (!(await hasTable(queries, table))) continue;
    const list = { name, version: findEntityByName(name)?.version ?? 1 };
    yield* createListFiles(list, createdAt, readRows(queries, table));
  }
  const documents: (DocumentRow & { name: string })[] = await queries.unsafe(
    `select * from ${queries.getTableName("documents")} order by name`,
  );
  for (const row of documents)
    yield* withCopy(createDocumentFileName(row.name), row.name, toEnvelope(row.name, row));
  const { entity, location, version } = markerFormat;
  const value: SiteMarker = { id, createdAt, entities, journal: null };
  yield* withCopy(MARKER_FILE, location, {
    entity,
    version,
    revision: 1,
    savedAt: createdAt,
    value,
  });
}

const toEnvelope = (entity: string, row: DocumentRow): Envelope<unknown> => ({
  entity,
  version: row.version,
  revision: Number(row.revision),
  savedAt: row.saved_at,
  value: row.value,
});

/** `version` is the schema version of the segment if the list is empty. */
async function* createListFiles(
  { name, version: initialVersion }: { readonly name: string; readonly version: number },
  savedAt: string,
  records: AsyncIterable<RecordRow>,
): AsyncGenerator<StoredFile> {
  let number = 0;
  const createSegment = (version: number, value: unknown[]): Generator<StoredFile> => {
    number++;
    const envelope = { entity: name, version, revision: 1, savedAt, value };
    return withCopy(`${name}/${createSegmentFileName(number)}`, `${name}/${number}`, envelope);
  };
  let values: unknown[] = [];
  let [bytes, version] = [0, initialVersion];
  for await (const record of records) {
    const isFull = isFullSegment({ recordCount: values.length, size: bytes });
    if (values.length > 0 && (isFull || record.version !== version)) {
      yield* createSegment(version, values);
      [values, bytes] = [[], 0];
    }
    values.push(record.value);
    [bytes, version] = [bytes + record.bytes, record.version];
  }
  if (values.length > 0 || number === 0) yield* createSegment(version, values);
  const { entity, location, version: listVersion } = createSegmentListFormat(name);
  const value = { first: 1, last: number, revisions: {} };
  const list = { entity, version: listVersion, revision: 1, savedAt, value };
  yield* withCopy(`${name}/${SEGMENT_LIST_FILE}`, location, list);
}

const createStoredFile = (
  path: string,
  location: string,
  envelope: Envelope<unknown>,
): StoredFile => ({
  path,
  bytes: encodeEnvelope(location, envelope),
});

function* withCopy(path: string, location: string, envelope: Envelope<unknown>) {
  const file = createStoredFile(path, location, envelope);
  yield file;
  yield { ...file, path: `${path}.bak` };
}

/** Replaces the site with an archive's files. Throws `cannot_open` if a file and its copy are both damaged. */
export async function replaceSite(
  queries: SiteQueries,
  files: AsyncIterable<StoredFile>,
): Promise<void> {
  await createTables(queries);
  // An earlier call may have left rows when the process was killed.
  for (const table of ["documents", "history"])
    await queries.unsafe(`delete from ${queries.getTableName(table)}`);
  const clearedEntities = new Set<string>();
  const storedPaths = new Set<string>();
  const damagedPaths = new Set<string>();
  for await (const { path, bytes } of files) {
    const entry = parseEntryPath(path);
    const mainPath = entry?.copyOf ?? path;
    if (!entry || entry.kind === "list" || storedPaths.has(mainPath)) continue;
    const envelope = parseAnyEnvelope(bytes);
    if (!envelope) {
      // Earlier revisions that can't be read are skipped, as in a data folder.
      if (entry.kind !== "revision") damagedPaths.add(mainPath);
      continue;
    }
    storedPaths.add(mainPath);
    if (entry.kind === "marker") await putMarker(queries, envelope);
    else if (entry.kind === "segment") {
      if (!clearedEntities.has(entry.entity)) await ensureEmptyList(queries, entry.entity);
      clearedEntities.add(entry.entity);
      await putSegment(queries, envelope);
    } else await insertRow(queries, entry.kind === "revision" ? "history" : "documents", envelope);
  }
  const lostPath = [...damagedPaths].find((path) => !storedPaths.has(path));
  if (lostPath !== undefined)
    throw cannotOpen(`${lostPath} is damaged, and so is its copy. Nothing was changed.`);
}

async function ensureEmptyList(queries: SiteQueries, name: string): Promise<void> {
  await createRecordsTable(queries, name);
  await queries.unsafe(`delete from ${getRecordsTableName(queries, name)}`);
}

const insertRow = (
  queries: SiteQueries,
  table: "documents" | "history",
  { entity, version, revision, savedAt, value }: Envelope<unknown>,
) =>
  queries.unsafe(
    `insert into ${queries.getTableName(table)} (name, version, revision, saved_at, value)
      values ($1, $2::int, $3::bigint, $4, $5::text::json)`,
    [entity, version, revision, savedAt, JSON.stringify(value)],
  );

async function putSegment(
  queries: SiteQueries,
  { entity, version, value }: Envelope<unknown>,
): Promise<void> {
  const rows = (value as StoredItem[]).map((record) => {
    const text = JSON.stringify(record);
    return { id: encodeNul(record.id), bytes: Buffer.byteLength(text), value: text };
  });
  // The next start fills `keys` and `search`, since no fingerprint of the columns is stored.
  await queries.unsafe(
    `insert into ${getRecordsTableName(queries, entity)} (id, version, keys, search, bytes, value)
      select id, $2::int, '{}', '', bytes, value::json
      from json_to_recordset($1::text::json) as r(id text, bytes int, value text)`,
    [JSON.stringify(rows), version],
  );
}

async function putMarker(queries: SiteQueries, { value }: Envelope<unknown>): Promise<void> {
  const { id, createdAt, entities } = value as Record<string, unknown>;
  await setMeta(queries, {
    tableVersion: String(TABLES_VERSION),
    siteId: String(id),
    createdAt: String(createdAt),
    entities: JSON.stringify(entities),
    nobody: "",
  });
}
