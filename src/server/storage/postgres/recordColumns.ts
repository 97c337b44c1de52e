/** What of a record stands in which column of its entity's table. */
import type { RecordsSpec } from "../entitySpecs.ts";
import { keepable, searchable } from "./whereSql.ts";

export const recordsTable = (name: string) => `records-${name}`;

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
