/**
 * Converts a site in a database to an archive's files and back: engines can exchange archives, and readers support
 * only one format.
 */
import type { StoredItem } from "../../../schema/entities/entity.ts";
import { findEntityByName } from "../../../schema/index.ts";
import { cannotOpen } from "../../shared/errors.ts";
import {
  documentFileName,
  isFullSegment,
  SEGMENT_LIST_FILE,
  createSegmentListFormat,
  MARKER_FILE,
  type SiteMarker,
  markerFormat,
  parseEntryPath,
  segmentFileName,
  versionFileName,
} from "../archiveEntries.ts";
import { encodeEnvelope, type Envelope, readHeader } from "../envelope.ts";
import type { StoredFile } from "../store.ts";
import type { Database, Queries } from "./database.ts";
import { recordsTableName, readRows, encodeNul } from "./recordsSql.ts";
import { type SiteMeta, readMeta, setMeta, hasTable } from "./meta.ts";
import { createRecordsTable, createTables, TABLES_VERSION } from "./tables.ts";

/** A snapshot of everything, without the secret. Empty without a site. */
export async function* readSiteFiles(database: Database): AsyncGenerator<StoredFile> {
  const connection = await database.sql.reserve();
  try {
    await connection.unsafe("begin isolation level repeatable read read only");
    const meta = await readMeta(database, connection);
    if (meta.siteId) yield* readFiles(database, connection, meta as SiteMeta);
  } finally {
    await connection.unsafe("rollback").then(undefined, () => undefined);
    await connection.release();
  }
}

async function* readFiles(
  database: Database,
  queries: Queries,
  meta: SiteMeta,
): AsyncGenerator<StoredFile> {
  const history: { name: string; revision: string }[] = await queries.unsafe(
    `select name, revision from ${database.table("history")} order by name, revision`,
  );
  for (const { name, revision } of history) {
    const [row]: [DocumentRow] = await queries.unsafe(
      `select * from ${database.table("history")} where name = $1 and revision = $2::bigint`,
      [name, revision],
    );
    yield createVersionFile(toEnvelope(name, row));
  }
  const { siteId: id, createdAt } = meta;
  const entities = JSON.parse(meta.entities) as string[];
  for (const name of entities.toSorted())
    if (await hasTable(queries, database.table(recordsTableName(name))))
      yield* createListFiles(
        { name, version: currentEntityVersion(name) },
        createdAt,
        readRecords(database, queries, name),
      );
  const documents: (DocumentRow & { name: string })[] = await queries.unsafe(
    `select * from ${database.table("documents")} order by name`,
  );
  for (const row of documents) yield* createDocumentFiles(toEnvelope(row.name, row));
  yield* createMarkerFiles({ id, createdAt, entities });
}

/** Of an entity that this release has; another's list is left as the first version made it. */
const currentEntityVersion = (name: string) => findEntityByName(name)?.version ?? 1;

interface DocumentRow {
  readonly version: number;
  readonly revision: string;
  readonly saved_at: string;
  readonly value: unknown;
}

const toEnvelope = (entity: string, row: DocumentRow): Envelope<unknown> => ({
  entity,
  version: row.version,
  revision: Number(row.revision),
  savedAt: row.saved_at,
  value: row.value,
});

async function* readRecords(
  database: Database,
  queries: Queries,
  name: string,
): AsyncGenerator<StoredRecord> {
  for await (const rows of readRows(queries, database.table(recordsTableName(name)))) yield* rows;
}

/** Without a journal: the files are complete. */
function* createMarkerFiles(marker: Omit<SiteMarker, "journal">): Generator<StoredFile> {
  const { entity, place, version } = markerFormat;
  const value = { ...marker, journal: null };
  const envelope = { entity, version, revision: 1, savedAt: marker.createdAt, value };
  yield* withCopy(createStoredFile(MARKER_FILE, place, envelope));
}

const createDocumentFiles = (envelope: Envelope<unknown>): Generator<StoredFile> =>
  withCopy(createStoredFile(documentFileName(envelope.entity), envelope.entity, envelope));

/** An earlier revision. */
const createVersionFile = (envelope: Envelope<unknown>): StoredFile =>
  createStoredFile(versionFileName(envelope.entity, envelope.revision), envelope.entity, envelope);

/** A stored record: `bytes` is the length of its JSON. */
interface StoredRecord {
  readonly version: number;
  readonly bytes: number;
  readonly value: unknown;
}

/** An entity's records in segments, oldest first, and the list of segments; `version` is that of an empty list. */
async function* createListFiles(
  { name, version: ofEmpty }: { readonly name: string; readonly version: number },
  savedAt: string,
  records: AsyncIterable<StoredRecord>,
): AsyncGenerator<StoredFile> {
  let number = 0;
  const segment = (version: number, value: unknown[]): Generator<StoredFile> => {
    number++;
    const envelope = { entity: name, version, revision: 1, savedAt, value };
    return withCopy(
      createStoredFile(`${name}/${segmentFileName(number)}`, `${name}/${number}`, envelope),
    );
  };
  let held: unknown[] = [];
  let [bytes, version] = [0, ofEmpty];
  for await (const record of records) {
    const isFull = isFullSegment({ records: held.length, size: bytes });
    if (held.length > 0 && (isFull || record.version !== version)) {
      yield* segment(version, held);
      [held, bytes] = [[], 0];
    }
    held.push(record.value);
    [bytes, version] = [bytes + record.bytes, record.version];
  }
  if (held.length > 0 || number === 0) yield* segment(version, held);
  const { entity, place, version: listVersion } = createSegmentListFormat(name);
  const value = { first: 1, last: number, revisions: {} };
  const list = { entity, version: listVersion, revision: 1, savedAt, value };
  yield* withCopy(createStoredFile(`${name}/${SEGMENT_LIST_FILE}`, place, list));
}

const createStoredFile = (
  path: string,
  label: string,
  envelope: Envelope<unknown>,
): StoredFile => ({
  path,
  bytes: encodeEnvelope(label, envelope),
});

/** With its copy. */
function* withCopy(file: StoredFile): Generator<StoredFile> {
  yield file;
  yield { ...file, path: `${file.path}.bak` };
}

/** Stores an archive's contents, replacing everything. Throws `cannot_open` for a file with both copies damaged. */
export async function putFiles(
  database: Database,
  queries: Queries,
  files: AsyncIterable<StoredFile>,
): Promise<void> {
  await createTables(database, queries);
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
      if (!made.has(entry.entity)) await emptySite(database, queries, entry.entity);
      made.add(entry.entity);
      await putSegment(database, queries, envelope);
    } else
      await insertRow(
        database,
        queries,
        entry.kind === "version" ? "history" : "documents",
        envelope,
      );
  }
  const lost = [...damaged].find((file) => !put.has(file));
  if (lost !== undefined)
    throw cannotOpen(`${lost} is damaged, and so is its copy. Nothing was changed.`);
}

async function emptySite(database: Database, queries: Queries, name: string): Promise<void> {
  await createRecordsTable(database, queries, name);
  await queries.unsafe(`delete from ${database.table(recordsTableName(name))}`);
}

const insertRow = (
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
    `insert into ${database.table(recordsTableName(entity))} (id, version, keys, search, bytes, value)
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
