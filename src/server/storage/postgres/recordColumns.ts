/** What of a record stands in which column of its entity's table. */
import type { RecordsSpec } from "../entitySpecs.ts";
import type { Queries } from "./database.ts";
import { keepable, searchable } from "./whereSql.ts";

export const recordsTable = (name: string) => `records-${name}`;

/** Of each record what every table of records has: its value is of the version. */
interface RecordRow {
  readonly seq: string;
  readonly version: number;
  /** The length of its JSON. */
  readonly bytes: number;
  readonly value: unknown;
}

/** As many are read at once. */
const AT_ONCE = 500;

/** All that a table holds, oldest first, some after some. */
export async function* rowsOf(queries: Queries, table: string): AsyncGenerator<RecordRow[]> {
  for (let after: string | undefined = "0"; after !== undefined;) {
    // oxlint-disable-next-line no-await-in-loop -- each goes on where the one before ended
    const rows: RecordRow[] = await queries.unsafe(
      `select seq, version, bytes, value from ${table}
        where seq > $1::bigint order by seq limit ${AT_ONCE}`,
      [after],
    );
    yield rows;
    after = rows.length < AT_ONCE ? undefined : rows.at(-1)?.seq;
  }
}

/** The columns of a record, as a statement takes them. */
export function columnsOf<T extends { id: string }, K>(spec: RecordsSpec<T, K>, record: T) {
  const key = Object.entries(spec.key(record) as object).map(([name, value]) => [
    name,
    typeof value === "string" ? keepable(value) : (value ?? null),
  ]);
  const value = JSON.stringify(record);
  return {
    id: keepable(record.id),
    uniq: spec.unique ? keepable(spec.unique(record)) : null,
    keys: Object.fromEntries(key) as object,
    search: searchable(spec.texts(record)),
    bytes: Buffer.byteLength(value),
    // As text: PostgreSQL would take signs out of their writing that it can't keep in a text.
    value,
  };
}

/** A facet as a column, which the database fills from the keys: only columns can be counted in an index alone. */
export const facetColumn = (facet: string) => `"facet-${facet}"`;

/** What an array of `columnsOf` is as rows. */
export const ROWS = `json_to_recordset($1::text::json) as r(id text, uniq text, keys jsonb, search text, bytes int, value text)`;
