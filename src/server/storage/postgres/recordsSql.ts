/** Records in SQL: their tables and columns, and conditions and searches on them. */
import type { RecordsSpec } from "../entitySpecs.ts";
import { type Operator, type WhereTerm, toTerms, type Where } from "../where.ts";
import type { Queries } from "./database.ts";

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

/** A statement's values, numbered as they are added. */
export class SqlValues {
  readonly all: unknown[] = [];

  /** Returns the value's placeholder. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/** The one character PostgreSQL text can't store. */
export const encodeNul = (text: string) => text.replaceAll("\0", "\uFFFE");
/** The reverse, for keys. */
export const decodeNul = (text: string) => text.replaceAll("\uFFFE", "\0");

/** Separates a record's texts; never in a search. */
const TEXT_SEPARATOR = "\uFFFF";

/** The texts to search in, joined. */
const joinSearchTexts = (texts: readonly string[]) =>
  encodeNul(texts.join(TEXT_SEPARATOR).toLowerCase());

/** A condition on an entity's rows. `columnOf`: a key's column. */
export function createWhereClause<K>(
  where: Where<K> | undefined,
  search: string | undefined,
  values: SqlValues,
  columnOf = keyColumnSql,
): string {
  const alternatives = toTerms(where ?? ({} as Where<K>)).map((terms) =>
    terms.length === 0
      ? "true"
      : terms.map((term) => conditionSql(term, columnOf(term.field), values)).join(" and "),
  );
  const condition =
    alternatives.length === 0 ? "false" : alternatives.map((each) => `(${each})`).join(" or ");
  if (!search) return `(${condition})`;
  return `(${condition}) and ${searchSql(encodeNul(search), values)}`;
}

/** The search index has trigrams: for shorter texts it would be read whole, and all records too. */
const MIN_INDEXED_LENGTH = 3;

function searchSql(text: string, values: SqlValues): string {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  // A collation other than the index's avoids it. `strpos` would take twice as long.
  const column = [...text].length < MIN_INDEXED_LENGTH ? 'search collate "C"' : "search";
  return `${column} like ${values.add(pattern)}::text`;
}

export const keyColumnSql = (field: string) => {
  if (!/^\w+$/.test(field)) throw new Error(`"${field}" can't be a key.`);
  return field === "id" ? "id" : `(keys->>'${field}')`;
};

const SQL_OPERATORS: Partial<Record<Operator, string>> = {
  before: "<",
  upTo: "<=",
  from: ">=",
  after: ">",
};

function conditionSql({ operator, value }: WhereTerm, key: string, values: SqlValues): string {
  if (operator === "oneOf") return amongSql(key, value as ReadonlySet<unknown>, values);
  if (value === null) return `${key} is ${operator === "not" ? "not " : ""}null`;
  const sign = SQL_OPERATORS[operator];
  if (!sign) {
    const same = operator === "not" ? "is distinct from" : "=";
    return `${key} ${same} ${values.add(toKeyText(value))}::text`;
  }
  const compared =
    typeof value === "number"
      ? `${key}::numeric ${sign} ${values.add(String(value))}::numeric`
      : `${key} collate "C" ${sign} ${values.add(toKeyText(value))}::text`;
  // Null comes before every other value.
  return sign.startsWith("<") ? `(${key} is null or ${compared})` : compared;
}

function amongSql(key: string, set: ReadonlySet<unknown>, values: SqlValues): string {
  const texts = [...set].flatMap((each) => (each === null ? [] : toKeyText(each)));
  const list = values.add(JSON.stringify(texts));
  const among = `${key} = any(array(select json_array_elements_text(${list}::text::json)))`;
  return `(coalesce(${among}, false)${set.has(null) ? ` or ${key} is null` : ""})`;
}

/** A value as `->>` returns it. */
const toKeyText = (value: unknown) => encodeNul(String(value));
