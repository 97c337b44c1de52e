/** Creates the SQL for records: the names of tables and columns, conditions, and searches. */
import { toSearchText } from "../../../schema/core/boundedUnicode.ts";
import type { RecordsSpec } from "../entitySpecs.ts";
import { type Operator, type WhereTerm, toTerms, type Where } from "../where.ts";
import type { Queries, SiteQueries } from "./database.ts";

export const getRecordsTableName = (queries: SiteQueries, name: string) =>
  queries.getTableName(`records-${name}`);

export interface RecordRow {
  /** The record's number. Numbers increase in order of insertion. */
  readonly seq: string;
  /** The schema version of the value. */
  readonly version: number;
  /** The length of the value's JSON in bytes. */
  readonly bytes: number;
  readonly value: unknown;
}

const MAX_ROWS_PER_BATCH = 500;

/** Reads all rows of a list's table, oldest first. */
export async function* readRows(queries: Queries, table: string): AsyncGenerator<RecordRow> {
  for (let lastSeq: string | undefined = "0"; lastSeq !== undefined;) {
    const rows: RecordRow[] = await queries.unsafe(
      `select seq, version, bytes, value from ${table}
        where seq > $1::bigint order by seq limit ${MAX_ROWS_PER_BATCH}`,
      [lastSeq],
    );
    yield* rows;
    lastSeq = rows.length < MAX_ROWS_PER_BATCH ? undefined : rows.at(-1)?.seq;
  }
}

/** Returns a record's columns, from which `ROWS_FROM_JSON_SQL` creates a row. */
export function toColumns<T extends { id: string }, K>(spec: RecordsSpec<T, K>, record: T) {
  const keyEntries = Object.entries(spec.getKeys(record) as object).map(([name, value]) => [
    name,
    typeof value === "string" ? encodeNul(value) : (value ?? null),
  ]);
  const value = JSON.stringify(record);
  return {
    id: encodeNul(record.id),
    uniq: spec.getUniqueKey ? encodeNul(spec.getUniqueKey(record)) : null,
    keys: Object.fromEntries(keyEntries) as object,
    search: joinSearchTexts(spec.getSearchTexts(record)),
    bytes: Buffer.byteLength(value),
    // In nested JSON, PostgreSQL would unescape characters that it can't store, so the JSON is sent as a text.
    value,
  };
}

/** PostgreSQL generates this column from `keys`, so that an index on it can count records. */
export const getFacetColumnName = (facet: string) => `"facet-${facet}"`;

/** Converts a JSON array of results of `toColumns` to rows. */
export const ROWS_FROM_JSON_SQL = `json_to_recordset($1::text::json) as r(id text, uniq text, keys jsonb, search text, bytes int, value text)`;

/** Collects the parameters of a statement, and numbers their placeholders. */
export class SqlParameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Replaces NUL, the one character that PostgreSQL can't store in text. */
export const encodeNul = (text: string) => text.replaceAll("\0", "\uFFFE");
export const decodeNul = (text: string) => text.replaceAll("\uFFFE", "\0");

/** Keeps a search from matching across two texts, since no search contains this character. */
const TEXT_SEPARATOR = "\uFFFF";

const joinSearchTexts = (texts: readonly string[]) =>
  encodeNul(toSearchText(texts.join(TEXT_SEPARATOR)));

/** Returns the condition of a WHERE clause. `getColumn` returns the SQL of a key's column. */
export function createWhereClause<K>(
  where: Where<K> | undefined,
  search: string | undefined,
  parameters: SqlParameters,
  getColumn: (key: string) => string,
): string {
  const alternatives = toTerms(where ?? ({} as Where<K>)).map((terms) =>
    terms.length === 0
      ? "true"
      : terms
          .map((term) => createConditionSql(term, getColumn(term.field), parameters))
          .join(" and "),
  );
  const condition =
    alternatives.length === 0 ? "false" : alternatives.map((each) => `(${each})`).join(" or ");
  if (!search) return `(${condition})`;
  return `(${condition}) and ${createSearchSql(encodeNul(toSearchText(search)), parameters)}`;
}

/** The index consists of trigrams, so for a shorter text PostgreSQL would read the index and all records. */
const MIN_INDEXED_LENGTH = 3;

function createSearchSql(text: string, parameters: SqlParameters): string {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  // For short texts, another collation prevents the use of the index. `strpos` would too, but takes twice as long.
  const column = [...text].length < MIN_INDEXED_LENGTH ? 'search collate "C"' : "search";
  return `${column} like ${parameters.add(pattern)}::text`;
}

/** Returns the SQL of a key's value as text. Throws an Error for a name that isn't a plain identifier. */
export const createKeyColumnSql = (field: string) => {
  if (!/^\w+$/.test(field)) throw new Error(`"${field}" can't be a key.`);
  return field === "id" ? "id" : `(keys->>'${field}')`;
};

const SQL_OPERATORS: Partial<Record<Operator, string>> = {
  before: "<",
  upTo: "<=",
  from: ">=",
  after: ">",
};

function createConditionSql(
  { operator, value }: WhereTerm,
  columnSql: string,
  parameters: SqlParameters,
): string {
  if (operator === "oneOf")
    return createOneOfSql(columnSql, value as ReadonlySet<unknown>, parameters);
  if (value === null) return `${columnSql} is ${operator === "not" ? "not " : ""}null`;
  const sqlOperator = SQL_OPERATORS[operator];
  if (!sqlOperator) {
    const equality = operator === "not" ? "is distinct from" : "=";
    return `${columnSql} ${equality} ${parameters.add(toKeyText(value))}::text`;
  }
  const comparison =
    typeof value === "number"
      ? `${columnSql}::numeric ${sqlOperator} ${parameters.add(String(value))}::numeric`
      : `${columnSql} collate "C" ${sqlOperator} ${parameters.add(toKeyText(value))}::text`;
  // A missing key (null) is less than any value.
  return sqlOperator.startsWith("<") ? `(${columnSql} is null or ${comparison})` : comparison;
}

function createOneOfSql(
  columnSql: string,
  allowedValues: ReadonlySet<unknown>,
  parameters: SqlParameters,
): string {
  const texts = [...allowedValues].flatMap((each) => (each === null ? [] : toKeyText(each)));
  const placeholder = parameters.add(JSON.stringify(texts));
  const membership = `${columnSql} = any(array(select json_array_elements_text(${placeholder}::text::json)))`;
  return `(coalesce(${membership}, false)${allowedValues.has(null) ? ` or ${columnSql} is null` : ""})`;
}

/** Returns a key's value as the text that the operator `->>` returns for it. */
const toKeyText = (value: unknown) => encodeNul(String(value));
