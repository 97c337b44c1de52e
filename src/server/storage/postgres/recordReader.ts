/** Reads records from a list's table, within or without a transaction. */
import type { RecordsSpec } from "../entitySpecs.ts";
import { canonicalize, deepFreeze } from "../storedValue.ts";
import type { FacetCount, Page, PageRequest } from "../store.ts";
import type { Where } from "../where.ts";
import type { Database } from "./database.ts";
import {
  getFacetColumnName,
  getRecordsTableName,
  decodeNul,
  createWhereClause,
  encodeNul,
  createKeyColumnSql,
  type RecordRow,
  SqlParameters,
} from "./recordsSql.ts";

/** Runs a query. `shouldForceCustomPlan` has the same meaning as in `Database.read`. */
type ReadRows = (
  statement: string,
  parameters: readonly unknown[],
  shouldForceCustomPlan?: boolean,
) => Promise<any[]>;

const MAX_ROWS_PER_BATCH = 500;
/** Up to this many search results are found with the text index and sorted. For more, the list is read in order. */
const MAX_RESULTS_TO_SORT = 2000;
/** The number of 8 KB pages of a table that are sampled to estimate its size. */
const SAMPLED_PAGES = 250;

export class RecordReader<T extends { id: string }, K> {
  readonly table: string;

  constructor(
    readonly database: Database,
    readonly spec: RecordsSpec<T, K>,
    readonly read: ReadRows,
  ) {
    this.table = getRecordsTableName(database, spec.name);
  }

  get name(): string {
    return this.spec.name;
  }

  readonly getColumn = (key: string): string =>
    (this.spec.facets as readonly string[]).includes(key)
      ? getFacetColumnName(key)
      : createKeyColumnSql(key);

  async get(id: string): Promise<T | undefined> {
    return this.#findOne("id", id);
  }

  async findUnique(uniqueKey: string): Promise<T | undefined> {
    return this.#findOne("uniq", uniqueKey);
  }

  async #findOne(column: "id" | "uniq", value: string): Promise<T | undefined> {
    const [row] = await this.read(`select value from ${this.table} where ${column} = $1::text`, [
      encodeNul(value),
    ]);
    return row && parseRecord(this.spec, row);
  }

  async readKeys(where?: Where<K>): Promise<readonly K[]> {
    const rows = await this.select("keys", { where, createTail: () => "order by seq" });
    return rows.map(({ keys }) => parseKeys<K>(keys));
  }

  count(where?: Where<K>): Promise<number> {
    return this.#count(where, undefined);
  }

  async #count(where: Where<K> | undefined, search: string | undefined): Promise<number> {
    const parameters = new SqlParameters();
    const condition = createWhereClause(where, search, parameters, this.getColumn);
    const [{ count }] = await this.read(
      `select count(*) as count from ${this.table} where ${condition}`,
      parameters.values,
      Boolean(search),
    );
    return Number(count);
  }

  async countByFacet(): Promise<FacetCount<K>[]> {
    const { facets, booleanKeys } = this.spec;
    const columns = facets.map(getFacetColumnName).join(", ");
    const rows: { facets: (string | null)[]; count: string }[] = await this.select(
      `array[${columns}]::text[] as facets, count(*) as count`,
      { createTail: () => `${columns && `group by ${columns}`} having count(*) > 0` },
    );
    return rows.map(({ facets: texts, count }) => {
      const facetEntries = facets.map((facet, index) => {
        const text = texts[index] ?? null;
        return [facet, booleanKeys.has(facet) && text !== null ? text === "true" : text];
      });
      return { facets: Object.fromEntries(facetEntries) as Partial<K>, count: Number(count) };
    });
  }

  /** Returns the size in bytes. A long list is only sampled, because every enquiry causes this query. */
  async measureBytes(): Promise<number> {
    const { table } = this;
    const pageCountSql = `(select greatest(pg_relation_size($1::text::regclass) / 8192, 1)::float8)`;
    const percentageSql = `least(100, ${100 * SAMPLED_PAGES} / ${pageCountSql})`;
    const [{ bytes }] = await this.read(
      `select coalesce(sum(bytes), 0) * 100 / ${percentageSql} as bytes from ${table} tablesample system (${percentageSql})`,
      [table],
    );
    return Math.round(Number(bytes));
  }

  async readPage(request: PageRequest<K>): Promise<Page<T>> {
    const { where, search, newestFirst, offset, limit } = request;
    const total = await this.#count(where, search);
    if (total <= offset) return { items: [], total };
    const { table, getColumn } = this;
    const parameters = new SqlParameters();
    const matchingSql = `select seq from ${table} where ${createWhereClause(where, search, parameters, getColumn)}`;
    // `offset 0` makes the database find all results before sorting, which is faster for few results.
    const seqSql = `select seq from (${matchingSql} ${search && total <= MAX_RESULTS_TO_SORT ? "offset 0" : ""}) as matching`;
    const orderSql = `order by seq ${newestFirst ? "desc" : ""}`;
    // The records before `offset` aren't read: the inner query gets their numbers from an index.
    const rows: Pick<RecordRow, "value">[] = await this.read(
      `select value from ${table} where seq = any(array(
        ${seqSql} ${orderSql} offset ${Math.trunc(offset)} limit ${Math.trunc(limit)})) ${orderSql}`,
      parameters.values,
      Boolean(search),
    );
    return { items: rows.map((row) => parseRecord(this.spec, row)), total };
  }

  async *scan(options: { where?: Where<K>; newestFirst?: boolean } = {}): AsyncIterable<T> {
    const { where, newestFirst = false } = options;
    const [comparison, order] = newestFirst ? ["<", "desc"] : [">", ""];
    for (let lastSeq: string | undefined = newestFirst ? "9223372036854775807" : "0"; lastSeq;) {
      const afterSeq: string = lastSeq;
      const rows: Pick<RecordRow, "seq" | "value">[] = await this.select("seq, value", {
        where,
        createTail: (parameters) =>
          `and seq ${comparison} ${parameters.add(afterSeq)}::bigint order by seq ${order} limit ${MAX_ROWS_PER_BATCH}`,
      });
      for (const row of rows) yield parseRecord(this.spec, row);
      lastSeq = rows.length === MAX_ROWS_PER_BATCH ? String(rows.at(-1)?.seq) : undefined;
    }
  }

  /** Selects columns of the matching records. `createTail` returns the SQL that follows the condition. */
  async select(
    columns: string,
    query: { where?: Where<K> | undefined; createTail: (parameters: SqlParameters) => string },
  ): Promise<any[]> {
    const parameters = new SqlParameters();
    const condition = createWhereClause(query.where, undefined, parameters, this.getColumn);
    const statement = `select ${columns} from ${this.table} where ${condition} ${query.createTail(parameters)}`;
    return this.read(statement, parameters.values);
  }
}

/** Only a record that lacks a field is checked, since an instance of an older release may have written it. */
export function parseRecord<T extends { id: string }>(
  { schema, name, isComplete }: RecordsSpec<T, any>,
  { value }: Pick<RecordRow, "value">,
): T {
  const record = value as T;
  return isComplete(record) ? deepFreeze(record) : canonicalize(schema, name, record);
}

function parseKeys<K>(keys: object): K {
  const entries = Object.entries(keys).map(([name, value]) => [
    name,
    typeof value === "string" ? decodeNul(value) : value,
  ]);
  return Object.freeze(Object.fromEntries(entries)) as K;
}
