/**
 * A site in a database as the files of a data folder, and back: an archive of one engine can be put into the
 * other, and whoever reads archives knows one form only.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredItem } from "../../../schema/entity.ts";
import { cannotOpen } from "../../shared/errors.ts";
import { ifThere } from "../disk/disk.ts";
import {
  documentFile,
  LIST,
  listFormat,
  segmentFile,
  MARKER,
  closedMarker,
} from "../archive/entries.ts";
import { encode, type Envelope, openSealed } from "../envelope.ts";
import { logsOf } from "../files/dataFolder.ts";
import { withLines } from "../files/earlierLines.ts";
import type { LeftOut, StoredFile } from "../store.ts";
import type { Database, Queries } from "./database.ts";
import { recordsTable } from "./recordColumns.ts";
import { type Meta, readMeta, setMeta } from "./meta.ts";
import { makeRecordsTable, makeTables } from "./tables.ts";
import { keepable } from "./whereSql.ts";

/** As many records as a segment of a folder takes. */
const IN_A_SEGMENT = 200;
const BYTES_IN_A_SEGMENT = 256 * 1024;

/** All as it was at one moment, without the secret. Nothing where there is no site. */
export async function* siteFiles(
  database: Database,
  _leftOut?: LeftOut,
): AsyncGenerator<StoredFile> {
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
    const [row] = await queries.unsafe(
      `select * from ${database.table("history")} where name = $1 and revision = $2::bigint`,
      [name, revision],
    );
    yield sealed(`history/${name}/${revision}.json`, name, envelopeOf(name, row as Row));
  }
  for (const name of (JSON.parse(meta.entities) as string[]).toSorted())
    yield* segmentsOf(database, queries, name, meta.createdAt);
  const documents: (Row & { name: string })[] = await queries.unsafe(
    `select * from ${database.table("documents")} order by name`,
  );
  for (const row of documents)
    yield* twice(sealed(documentFile(row.name), row.name, envelopeOf(row.name, row)));
  const { siteId: id, createdAt } = meta;
  const value = { id, createdAt, entities: JSON.parse(meta.entities) as string[], checksums: true };
  const { entity, place, version } = closedMarker;
  yield* twice(sealed(MARKER, place, { entity, version, revision: 1, savedAt: createdAt, value }));
}

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

const sealed = (path: string, place: string, envelope: Envelope<unknown>): StoredFile => ({
  path,
  bytes: encode(place, envelope),
});

/** With its copy, as a folder has it. */
function* twice(file: StoredFile): Generator<StoredFile> {
  yield file;
  yield { ...file, path: `${file.path}.bak` };
}

async function* segmentsOf(
  database: Database,
  queries: Queries,
  name: string,
  savedAt: string,
): AsyncGenerator<StoredFile> {
  const table = database.table(recordsTable(name));
  const [found] = await queries.unsafe("select to_regclass($1) is not null as there", [table]);
  if (!(found as { there: boolean }).there) return;
  let number = 0;
  const segment = (version: number, value: unknown[]): Generator<StoredFile> => {
    number++;
    const envelope = { entity: name, version, revision: 1, savedAt, value };
    return twice(sealed(`${name}/${segmentFile(number)}`, `${name}/${number}`, envelope));
  };
  let records: unknown[] = [];
  let [bytes, version] = [0, 1];
  for (let after = "0"; ;) {
    const rows: RecordRow[] = await queries.unsafe(
      `select seq, version, bytes, value from ${table} where seq > $1::bigint order by seq limit ${IN_A_SEGMENT}`,
      [after],
    );
    for (const row of rows) {
      const isFull = records.length >= IN_A_SEGMENT || bytes >= BYTES_IN_A_SEGMENT;
      if (records.length > 0 && (isFull || row.version !== version)) {
        yield* segment(version, records);
        [records, bytes] = [[], 0];
      }
      records.push(row.value);
      [bytes, version] = [bytes + row.bytes, row.version];
    }
    if (rows.length < IN_A_SEGMENT) break;
    after = String(rows.at(-1)!.seq);
  }
  if (records.length > 0 || number === 0) yield* segment(version, records);
  const { entity, place, version: listVersion } = listFormat(name);
  const value = { first: 1, last: number, revisions: {} };
  const list = { entity, version: listVersion, revision: 1, savedAt, value };
  yield* twice(sealed(`${name}/${LIST}`, place, list));
}

interface RecordRow {
  readonly seq: string;
  readonly version: number;
  readonly bytes: number;
  readonly value: unknown;
}

/** Puts in what a folder holds, as `siteFiles` names it, and nothing else stays; a missing folder holds nothing. */
export async function putFiles(
  database: Database,
  queries: Queries,
  folder: string,
): Promise<void> {
  await makeTables(database, queries);
  // Of a call before that was killed once it was done.
  for (const table of ["documents", "history"])
    await queries.unsafe(`delete from ${database.table(table)}`);
  const names = (await ifThere(readdir(folder, { withFileTypes: true }))) ?? [];
  for (const entry of names.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.isDirectory() && entry.name === "history")
      await putHistory(database, queries, join(folder, "history"));
    else if (entry.isDirectory() && entry.name !== "migrations")
      await putSegments(database, queries, join(folder, entry.name), entry.name);
    else if (entry.name === MARKER) await putMarker(database, queries, folder);
    else if (entry.name.endsWith(".json"))
      await putRow(database, queries, "documents", await opened(join(folder, entry.name)));
  }
}

/** What a file holds, or its copy where it is damaged, with the lines of an earlier release. Throws `cannot_open`. */
async function opened(path: string): Promise<Envelope<unknown>> {
  for (const each of [path, `${path}.bak`]) {
    const bytes = await ifThere(readFile(each)); // oxlint-disable-line no-await-in-loop -- the copy only where needed
    const found = bytes && openSealed(bytes);
    if (!found) continue;
    const logs = await Promise.all(logsOf(path).map((log) => ifThere(readFile(log)))); // oxlint-disable-line no-await-in-loop -- of the one that is taken
    const lines = logs.filter((log) => log !== undefined);
    return { ...found, ...withLines(found, found.place ?? found.entity, lines) };
  }
  throw cannotOpen(`${path} is damaged, and so is its copy. Nothing was changed.`);
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

async function putHistory(database: Database, queries: Queries, folder: string): Promise<void> {
  for (const name of (await readdir(folder)).toSorted())
    for (const file of await readdir(join(folder, name))) {
      if (!/^\d+\.json$/.test(file)) continue;
      const bytes = await readFile(join(folder, name, file));
      const envelope = openSealed(bytes);
      // As a folder leaves out an earlier revision that can't be read.
      if (envelope) await putRow(database, queries, "history", envelope);
    }
}

async function putSegments(
  database: Database,
  queries: Queries,
  folder: string,
  name: string,
): Promise<void> {
  await makeRecordsTable(database, queries, name);
  await queries.unsafe(`delete from ${database.table(recordsTable(name))}`);
  const files = new Set((await readdir(folder)).map((file) => file.replace(/\.bak$/, "")));
  for (const file of [...files].filter((each) => /^\d{6,}\.json$/.test(each)).toSorted()) {
    const { version, value } = await opened(join(folder, file));
    const rows = (value as StoredItem[]).map((record) => {
      const text = JSON.stringify(record);
      return { id: keepable(record.id), bytes: Buffer.byteLength(text), value: text };
    });
    // The other columns are made at the next start, by what is declared then.
    await queries.unsafe(
      `insert into ${database.table(recordsTable(name))} (id, version, keys, search, bytes, value)
        select id, $2::int, '{}', '', bytes, value::json
        from json_to_recordset($1::text::json) as r(id text, bytes int, value text)`,
      [JSON.stringify(rows), version],
    );
  }
}

async function putMarker(database: Database, queries: Queries, folder: string): Promise<void> {
  const { value } = await opened(join(folder, MARKER));
  const { id, createdAt, entities } = value as Record<string, unknown>;
  await setMeta(database, queries, {
    form: "1",
    siteId: String(id),
    createdAt: String(createdAt),
    entities: JSON.stringify(entities),
    nobody: "",
  });
}
