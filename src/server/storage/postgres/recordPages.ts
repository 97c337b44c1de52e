/** One page of a list in its table: what is asked for is looked up there, and counted if it isn't already. */
import { deepFreeze } from "../envelope.ts";
import type { Glance, Page, PageRequest } from "../store.ts";
import type { Where } from "../where.ts";
import type { Database } from "./database.ts";
import type { Tallies } from "./tallies.ts";
import { facetColumn } from "./recordColumns.ts";
import { conditionOf, keyColumn, Values } from "./whereSql.ts";

/** A search that finds no more is done by one look into the index. */
const FEW = 2000;

export interface Row {
  readonly seq: string;
  readonly value: unknown;
}

/** Where a page ended, as long as the list is in the same state. */
interface End {
  readonly offset: number;
  readonly seq: string;
  readonly state: number;
}

const MOST_ENDS = 50;

export class RecordPages<T, K> {
  /** By what was asked for. */
  readonly #ends = new Map<string, End>();
  /** Whether there is an index of the facets in the list's order. */
  isPaged = false;

  constructor(
    readonly database: Database,
    readonly table: string,
    readonly tallies: Tallies<K>,
  ) {}

  async page(request: PageRequest<K>): Promise<Page<T>> {
    const { items, total } = await this.glance(request);
    return { items, total: total ?? (await this.#countOf(request.where, request.search)) };
  }

  /** What many have is found at once, newest or oldest first; to count it every record has to be looked at. */
  async glance({ where, search, newestFirst, offset, limit }: PageRequest<K>): Promise<Glance<T>> {
    const found = search ? await this.#few(where, search) : undefined;
    if (found) return this.#pageOf(newestFirst ? found.toReversed() : found, offset, limit);
    const rows = await this.#from({ where, search, newestFirst, offset, limit });
    const items = rows.map((row) => recordOf<T>(row));
    const isCounted = !search && (!where || !this.tallies.otherThanFacets(where));
    return isCounted ? { items, total: this.tallies.count(where) } : { items };
  }

  /** Whoever reads on where the page before ended isn't made to pass over all before it once more. */
  async #from({ where, search, newestFirst, offset, limit }: PageRequest<K>): Promise<Row[]> {
    const values = new Values();
    const isOfFacets = !search && (!where || !this.tallies.otherThanFacets(where));
    const isInIndex = isOfFacets && (!where || this.isPaged);
    const condition = conditionOf(where, search, values, isInIndex ? facetColumn : keyColumn);
    const { state } = this.tallies;
    const key = JSON.stringify([condition, values.all, newestFirst]);
    const before = this.#ends.get(key);
    const isNext = before?.offset === offset && before.state === state;
    const skipped = isNext
      ? `and seq ${newestFirst ? "<" : ">"} ${values.add(before.seq)}::bigint`
      : "";
    const { table } = this;
    const order = `order by seq ${newestFirst ? "desc" : ""}`;
    const meant = `${condition} ${skipped} ${order} offset ${isNext ? 0 : Math.trunc(offset)} limit ${Math.trunc(limit)}`;
    // The records that are passed over aren't read: their numbers are found in an index alone.
    const numbers = `seq = any(array(select seq from ${table} where ${meant})) ${order}`;
    const rows: Row[] = await this.database.read(
      `select seq, value from ${table} where ${isInIndex && !isNext && offset > 0 ? numbers : meant}`,
      values.all,
    );
    this.#ends.delete(key);
    if (rows.length > 0)
      this.#ends.set(key, { offset: offset + rows.length, seq: String(rows.at(-1)!.seq), state });
    // The one that was read the longest ago.
    if (this.#ends.size > MOST_ENDS) this.#ends.delete(this.#ends.keys().next().value!);
    return rows;
  }

  /** The numbers of those that match, oldest first; undefined when they are more than a few. */
  async #few(where: Where<K> | undefined, search: string): Promise<string[] | undefined> {
    const rows = await this.select("seq", { where, search, tail: `limit ${FEW + 1}` });
    if (rows.length > FEW) return undefined;
    return rows.map(({ seq }) => String(seq)).toSorted((one, other) => Number(one) - Number(other));
  }

  async #pageOf(found: readonly string[], offset: number, limit: number): Promise<Page<T>> {
    const seqs = found.slice(offset, offset + limit);
    if (seqs.length === 0) return { items: [], total: found.length };
    const rows: Row[] = await this.database.read(
      `select seq, value from ${this.table}
        where seq = any(array(select json_array_elements_text($1::text::json)::bigint))`,
      [JSON.stringify(seqs)],
    );
    const bySeq = new Map(rows.map((row) => [String(row.seq), row]));
    const items = seqs.flatMap((seq) => bySeq.get(seq) ?? []).map((row) => recordOf<T>(row));
    return { items, total: found.length };
  }

  async #countOf(where: Where<K> | undefined, search: string | undefined): Promise<number> {
    const values = new Values();
    const condition = conditionOf(where, search, values);
    const [row] = await this.database.readPlanned(
      `select count(*) as count from ${this.table} where ${condition}`,
      values.all,
    );
    return Number((row as { count: string }).count);
  }

  /** What is asked of the records that are meant. Throws `cannot_store`. */
  async select(
    what: string,
    asked: { where?: Where<K> | undefined; search?: string | undefined; tail?: string },
  ): Promise<Row[]> {
    const values = new Values();
    const condition = conditionOf(asked.where, asked.search, values);
    const statement = `select ${what} from ${this.table} where ${condition} ${asked.tail ?? ""}`;
    return this.database.read(statement, values.all);
  }
}

/** Trusted: it was checked when it was written, and a start brings all to the present version. */
export const recordOf = <T>({ value }: { readonly value: unknown }): T => deepFreeze(value as T);
