/** Reads of a list's table, within a transaction or not. */
import type { RecordsSpec } from "../entitySpecs.ts";
import { canonical, deepFreeze } from "../storedValue.ts";
import type { FacetGroup, Page, PageRequest } from "../store.ts";
import type { Where } from "../where.ts";
import type { Database } from "./database.ts";
import {
  facetColumnName,
  recordsTableName,
  decodeNul,
  createWhereClause,
  encodeNul,
  keyColumnSql,
  SqlValues,
} from "./recordsSql.ts";

/** A list's table and type. */
export interface RecordsList<T extends { id: string }, K> {
  readonly table: string;
  readonly spec: RecordsSpec<T, K>;
  readonly columnOf: (key: string) => string;
}

export function createRecordsList<T extends { id: string }, K>(
  table: string,
  spec: RecordsSpec<T, K>,
): RecordsList<T, K> {
  const facets = new Set<string>(spec.facets);
  const columnOf = (key: string) => (facets.has(key) ? facetColumnName(key) : keyColumnSql(key));
  return { table, spec, columnOf };
}

/** `isPlanned`: planned for these values. */
type ReadRows = (
  statement: string,
  values: readonly unknown[],
  isPlanned?: boolean,
) => Promise<any[]>;

const SCAN_BATCH_SIZE = 500;
/** A search with at most this many results uses the text index. */
const MAX_INDEXED_RESULTS = 2000;
/** The number of 8 KB pages of a table to sample for its size. */
const SAMPLED_PAGES = 250;

interface RecordRow {
  readonly seq: string;
  readonly value: unknown;
}

export class RecordReads<T extends { id: string }, K> {
  constructor(
    readonly list: RecordsList<T, K>,
    readonly read: ReadRows,
  ) {}

  async get(id: string): Promise<T | undefined> {
    return this.#findOne("id", id);
  }

  async findUnique(unique: string): Promise<T | undefined> {
    return this.#findOne("uniq", unique);
  }

  async #findOne(column: "id" | "uniq", value: string): Promise<T | undefined> {
    const [row] = await this.read(
      `select value from ${this.list.table} where ${column} = $1::text`,
      [encodeNul(value)],
    );
    return row && parseRecord(this.list.spec, row);
  }

  async keys(where?: Where<K>): Promise<readonly K[]> {
    const rows = await this.select("keys", { where, tail: () => "order by seq" });
    return rows.map(({ keys }) => parseKey<K>(keys));
  }

  /** By facets, from an index alone. */
  count(where?: Where<K>): Promise<number> {
    return this.#count(where, undefined);
  }

  async #count(where: Where<K> | undefined, search: string | undefined): Promise<number> {
    const values = new SqlValues();
    const condition = createWhereClause(where, search, values, this.list.columnOf);
    const [{ count }] = await this.read(
      `select count(*) as count from ${this.list.table} where ${condition}`,
      values.all,
      Boolean(search),
    );
    return Number(count);
  }

  async groups(): Promise<FacetGroup<K>[]> {
    const { facets, booleanKeys: toggles } = this.list.spec;
    const columns = facets.map(facetColumnName).join(", ");
    const rows: { facets: (string | null)[]; count: string }[] = await this.select(
      `array[${columns}]::text[] as facets, count(*) as count`,
      { tail: () => `${columns && `group by ${columns}`} having count(*) > 0` },
    );
    return rows.map(({ facets: texts, count }) => {
      const values = facets.map((facet, at) => {
        const text = texts[at] ?? null;
        return [facet, toggles.has(facet) && text !== null ? text === "true" : text];
      });
      return { key: Object.fromEntries(values) as Partial<K>, count: Number(count) };
    });
  }

  /** Used for every enquiry: a long list is estimated from a sample. */
  async bytes(): Promise<number> {
    const { table } = this.list;
    const size = `(select greatest(pg_relation_size($1::text::regclass) / 8192, 1)::float8)`;
    const share = `least(100, ${100 * SAMPLED_PAGES} / ${size})`;
    const [{ bytes }] = await this.read(
      `select coalesce(sum(bytes), 0) * 100 / ${share} as bytes from ${table} tablesample system (${share})`,
      [table],
    );
    return Math.round(Number(bytes));
  }

  async page(request: PageRequest<K>): Promise<Page<T>> {
    const { where, search, newestFirst, offset, limit } = request;
    const total = await this.#count(where, search);
    if (total <= offset) return { items: [], total };
    const { table, columnOf } = this.list;
    const values = new SqlValues();
    const matching = `select seq from ${table} where ${createWhereClause(where, search, values, columnOf)}`;
    // Few results are fetched and then sorted; many are met in index order.
    const numbers = `select seq from (${matching} ${search && total <= MAX_INDEXED_RESULTS ? "offset 0" : ""}) as found`;
    const order = `order by seq ${newestFirst ? "desc" : ""}`;
    // Skipped records aren't read: an index alone has their numbers.
    const rows: RecordRow[] = await this.read(
      `select seq, value from ${table} where seq = any(array(
        ${numbers} ${order} offset ${Math.trunc(offset)} limit ${Math.trunc(limit)})) ${order}`,
      values.all,
      Boolean(search),
    );
    return { items: rows.map((row) => parseRecord(this.list.spec, row)), total };
  }

  async *scan(options: { where?: Where<K>; newestFirst?: boolean } = {}): AsyncIterable<T> {
    const { where, newestFirst = false } = options;
    const [sign, order] = newestFirst ? ["<", "desc"] : [">", ""];
    for (let last: string | undefined = newestFirst ? "9223372036854775807" : "0"; last;) {
      const from: string = last;
      // oxlint-disable-next-line no-await-in-loop -- in batches
      const rows: RecordRow[] = await this.select("seq, value", {
        where,
        tail: (values) =>
          `and seq ${sign} ${values.add(from)}::bigint order by seq ${order} limit ${SCAN_BATCH_SIZE}`,
      });
      for (const row of rows) yield parseRecord(this.list.spec, row);
      last = rows.length === SCAN_BATCH_SIZE ? String(rows.at(-1)?.seq) : undefined;
    }
  }

  /** Selects from matching records. `tail`: follows the condition. */
  async select(
    columns: string,
    query: { where?: Where<K> | undefined; tail?: (values: SqlValues) => string },
  ): Promise<any[]> {
    const values = new SqlValues();
    const condition = createWhereClause(query.where, undefined, values, this.list.columnOf);
    const statement = `select ${columns} from ${this.list.table} where ${condition} ${query.tail?.(values) ?? ""}`;
    return this.read(statement, values.all);
  }
}

/**
 * A row's record. Trusted: it was checked when written, and a start migrates all; only those written by another release
 * meanwhile may lack a field.
 */
export function parseRecord<T extends { id: string }>(
  { schema, name, isComplete }: RecordsSpec<T, any>,
  { value }: { readonly value: unknown },
): T {
  const record = value as T;
  return isComplete(record) ? deepFreeze(record) : canonical(schema, name, record);
}

function parseKey<K>(keys: object): K {
  const entries = Object.entries(keys).map(([name, value]) => [
    name,
    typeof value === "string" ? decodeNul(value) : value,
  ]);
  return Object.freeze(Object.fromEntries(entries)) as K;
}

/** The ids that exist in any of some lists, by their names. Throws `cannot_store`. */
export async function existingIds(
  database: Database,
  lists: readonly string[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const anyOfThem = "any(array(select json_array_elements_text($1::text::json)))";
  const statement = lists
    .map(
      (name) => `select id from ${database.table(recordsTableName(name))} where id = ${anyOfThem}`,
    )
    .join(" union all ");
  const rows = await database.read(statement, [JSON.stringify(ids.map(encodeNul))]);
  return new Set(rows.map(({ id }: { id: string }) => decodeNul(id)));
}
