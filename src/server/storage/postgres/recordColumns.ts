/** The mapping of a record to the columns of its table. */
import type { RecordsSpec } from "../entitySpecs.ts";
import type { Queries } from "./database.ts";
import { encodeNul, joinSearchTexts } from "./whereSql.ts";

export const recordsTableName = (name: string) => `records-${name}`;

/** Columns of every record table: the value has this version. */
interface RecordRow {
  readonly seq: string;
  readonly version: number;
  /** The length of its JSON. */
  readonly bytes: number;
  readonly value: unknown;
}

/** The batch size of reads. */
const ROWS_PER_BATCH = 500;

/** All rows of a table, oldest first, in batches. */
export async function* readRows(queries: Queries, table: string): AsyncGenerator<RecordRow[]> {
  for (let after: string | undefined = "0"; after !== undefined;) {
    // oxlint-disable-next-line no-await-in-loop -- each continues after the previous
    const rows: RecordRow[] = await queries.unsafe(
      `select seq, version, bytes, value from ${table}
        where seq > $1::bigint order by seq limit ${ROWS_PER_BATCH}`,
      [after],
    );
    yield rows;
    after = rows.length < ROWS_PER_BATCH ? undefined : rows.at(-1)?.seq;
  }
}

/** A record's columns, as a statement takes them. */
export function toColumns<T extends { id: string }, K>(spec: RecordsSpec<T, K>, record: T) {
  const key = Object.entries(spec.key(record) as object).map(([name, value]) => [
    name,
    typeof value === "string" ? encodeNul(value) : (value ?? null),
  ]);
  const value = JSON.stringify(record);
  return {
    id: encodeNul(record.id),
    uniq: spec.uniqueKey ? encodeNul(spec.uniqueKey(record)) : null,
    keys: Object.fromEntries(key) as object,
    search: joinSearchTexts(spec.searchTexts(record)),
    bytes: Buffer.byteLength(value),
    // As text: PostgreSQL would unescape characters that it can't store in text.
    value,
  };
}

/** A facet's column, generated from the keys: only columns can be counted in an index alone. */
export const facetColumnName = (facet: string) => `"facet-${facet}"`;

/** Turns an array of `toColumns` into rows. */
export const ROWS_FROM_JSON_SQL = `json_to_recordset($1::text::json) as r(id text, uniq text, keys jsonb, search text, bytes int, value text)`;
