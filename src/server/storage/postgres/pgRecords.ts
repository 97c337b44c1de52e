/** A list without end, in a table of its own: what is asked for is looked up there, counts are in memory. */
import { conflict } from "../../shared/errors.ts";
import type { RecordsSpec } from "../entitySpecs.ts";
import { canonical, deepFreeze } from "../envelope.ts";
import type { Glance, Group, Page, PageRequest, Records } from "../store.ts";
import type { Where } from "../where.ts";
import { Batches, type Outcome } from "./batches.ts";
import type { Changes } from "./changes.ts";
import type { Database } from "./database.ts";
import { RecordsBatch, type RecordsChange } from "./recordsBatch.ts";
import { columnsOf, recordsTable, ROWS } from "./recordColumns.ts";
import { countedIn, type Difference, Tallies } from "./tallies.ts";
import { asKept, conditionOf, keepable, Values } from "./whereSql.ts";

/** Of one look, where more are to come. */
const AT_ONCE = 500;
/** A search that finds no more is done by one look into the index. */
const FEW = 2000;
/** After what was erased, how long until its room is given free, in milliseconds. */
const VACUUM_AFTER = 5000;

interface Row {
  readonly seq: string;
  readonly value: unknown;
}

export class PgRecords<T extends { id: string }, K> implements Records<T, K> {
  readonly #tallies: Tallies<K>;
  readonly #table: string;
  readonly #batches = new Batches<RecordsChange<T, K>>({
    commit: (changes) => this.#commit(changes),
    isFree: (change) => "insert" in change,
  });
  #vacuuming: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly database: Database,
    readonly changes: () => Changes,
    readonly spec: RecordsSpec<T, K>,
  ) {
    this.#tallies = new Tallies(spec);
    this.#table = database.table(recordsTable(spec.name));
  }

  /** Counts all anew. */
  async readAnew(): Promise<void> {
    await this.#tallies.recount(() => countedIn(this.database, this.#table, this.spec));
  }

  /** What another instance has changed. */
  heard(transaction: bigint, difference: Difference): void {
    this.#tallies.apply(transaction, difference);
    this.database.announce(this.spec.name);
  }

  async #commit(changes: readonly RecordsChange<T, K>[]): Promise<readonly Outcome[]> {
    const { name } = this.spec;
    const records = changes.flatMap((change) => ("insert" in change ? change.insert : []));
    if (records.length === changes.length) return this.#insertAll(records);
    const batch = await this.database.write(name, async (transaction) => {
      const work = new RecordsBatch(this.database, this.spec, transaction);
      await work.run(changes);
      if (work.isDirty)
        work.number = await this.changes().tell(transaction, {
          records: name,
          difference: work.differences.all,
        });
      return work;
    });
    if (batch.isDirty) {
      this.#tallies.apply(batch.number, batch.differences.all);
      this.database.announce(name);
    }
    if (batch.isErasing) this.#vacuumSoon();
    return batch.outcomes;
  }

  /** What visitors send at the same moment: stored, told of and counted by one statement. */
  async #insertAll(records: readonly T[]): Promise<readonly Outcome[]> {
    const { name, version } = this.spec;
    const columns = records.map((record) => columnsOf(this.spec, record));
    const values = new Values();
    const [rows, at] = [values.add(JSON.stringify(columns)), values.add(version)];
    const facets = this.spec.facets.map((facet) => `keys->'${facet}'`).join(", ");
    const [stored] = await this.database.writeAtOnce(
      name,
      `with stored as (insert into ${this.#table} (id, uniq, version, keys, search, bytes, value)
          select id, uniq, ${at}::int, keys, search, bytes, value::json from ${ROWS.replace("$1", rows)}
          on conflict do nothing returning id, keys, bytes),
        groups as (select json_build_array(json_build_array(${facets}), count(*)) as each
          from stored ${facets && `group by ${facets}`} having count(*) > 0),
        change as (select json_build_object('records', ${values.add(name)}::text, 'difference',
          json_build_object('groups', (select coalesce(json_agg(each), '[]') from groups),
            'bytes', (select coalesce(sum(bytes), 0) from stored))) as said)
        select said, (select coalesce(json_agg(id), '[]') from stored) as ids,
          pg_current_xact_id()::text as number, ${this.changes().telling("said::text", values)} from change`,
      values.all,
    );
    const { said, ids, number } = stored as {
      said: { difference: Difference };
      ids: string[];
      number: string;
    };
    const free = new Set(ids);
    if (free.size > 0) {
      this.#tallies.apply(BigInt(number), said.difference);
      this.database.announce(name);
    }
    return records.map((record, index) => {
      // Of two with one id, the first.
      if (free.delete(columns[index]!.id)) return () => record;
      return () => {
        throw conflict();
      };
    });
  }

  /** So that what was erased is in no file of the database either; its log and its copies keep it longer. */
  #vacuumSoon(): void {
    this.#vacuuming ??= setTimeout(() => {
      this.#vacuuming = undefined;
      void this.database.read(`vacuum (analyze) ${this.#table}`).catch(() => undefined);
    }, VACUUM_AFTER).unref();
  }

  #canonical(value: T): T {
    return canonical(this.spec.schema, this.spec.name, value);
  }

  async insert(record: T): Promise<T> {
    return this.#batches.run({ insert: this.#canonical(record) });
  }

  upsert(unique: string, change: (existing: T | undefined) => T): Promise<T> {
    return this.#batches.run({ apply: (batch) => batch.upsert(unique, change) });
  }

  updateUnique(unique: string, change: (record: T) => T): Promise<void> {
    return this.#batches.run({ apply: (batch) => batch.updateUnique(unique, change) });
  }

  update(id: string, change: (record: T) => T): Promise<T | undefined> {
    return this.#batches.run({ apply: (batch) => batch.update(id, change) });
  }

  delete(id: string): Promise<T | undefined> {
    return this.#batches.run({ apply: (batch) => batch.delete(id) });
  }

  async updateWhere(where: Where<K>, change: (record: T) => T): Promise<number> {
    let changed = 0;
    for (let after: string | undefined = "0"; after !== undefined;) {
      const from: string = after;
      const done: { changed: number; last: string | undefined } = await this.#batches.run({
        apply: (batch) => batch.updateSome(where, from, AT_ONCE, change),
      });
      changed += done.changed;
      after = done.last;
    }
    return changed;
  }

  async deleteWhere(where: Where<K>): Promise<number> {
    let deleted = 0;
    for (let last = AT_ONCE; last === AT_ONCE; deleted += last)
      last = await this.#batches.run<number>({
        apply: (batch) => batch.deleteSome(where, AT_ONCE),
      });
    return deleted;
  }

  count(where?: Where<K>): number {
    return this.#tallies.count(where);
  }

  groups(): Group<K>[] {
    return this.#tallies.groups();
  }

  bytes(): number {
    return this.#tallies.bytes;
  }

  async present(ids: Iterable<string>): Promise<ReadonlySet<string>> {
    const asked = new Set(ids);
    if (asked.size === 0) return asked;
    const rows = await this.#select("id", { where: { id: { oneOf: asked } } as Where<any> });
    return new Set(rows.map((row) => asKept((row as unknown as { id: string }).id)));
  }

  async keys(where?: Where<K>): Promise<readonly K[]> {
    const rows = await this.#select("keys", { where, tail: "order by seq" });
    return rows.map((row) => keyOf<K>((row as unknown as { keys: object }).keys));
  }

  async get(id: string): Promise<T | undefined> {
    return this.#one("id", id);
  }

  async findUnique(unique: string): Promise<T | undefined> {
    return this.#one("uniq", unique);
  }

  async #one(column: "id" | "uniq", value: string): Promise<T | undefined> {
    const [row] = await this.database.read(
      `select value from ${this.#table} where ${column} = $1::text`,
      [keepable(value)],
    );
    return row && recordOf<T>(row as Row);
  }

  async page(request: PageRequest<K>): Promise<Page<T>> {
    const { items, total } = await this.glance(request);
    return { items, total: total ?? (await this.#countOf(request.where, request.search)) };
  }

  /** What many have is found at once, newest or oldest first; to count it every record has to be looked at. */
  async glance({ where, search, newestFirst, offset, limit }: PageRequest<K>): Promise<Glance<T>> {
    const found = search ? await this.#few(where, search) : undefined;
    if (found) return this.#pageOf(newestFirst ? found.toReversed() : found, offset, limit);
    const order = `order by seq ${newestFirst ? "desc" : ""} offset ${Math.trunc(offset)} limit ${Math.trunc(limit)}`;
    const rows = await this.#select("value", { where, search, tail: order });
    const items = rows.map((row) => recordOf<T>(row));
    const isCounted = !search && (!where || !this.#tallies.otherThanFacets(where));
    return isCounted ? { items, total: this.count(where) } : { items };
  }

  /** The numbers of those that match, oldest first; undefined when they are more than a few. */
  async #few(where: Where<K> | undefined, search: string): Promise<string[] | undefined> {
    const rows = await this.#select("seq", { where, search, tail: `limit ${FEW + 1}` });
    if (rows.length > FEW) return undefined;
    return rows.map(({ seq }) => String(seq)).toSorted((one, other) => Number(one) - Number(other));
  }

  async #pageOf(found: readonly string[], offset: number, limit: number): Promise<Page<T>> {
    const seqs = found.slice(offset, offset + limit);
    if (seqs.length === 0) return { items: [], total: found.length };
    const rows: Row[] = await this.database.read(
      `select seq, value from ${this.#table}
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
      `select count(*) as count from ${this.#table} where ${condition}`,
      values.all,
    );
    return Number((row as { count: string }).count);
  }

  async #select(
    what: string,
    asked: { where?: Where<K> | undefined; search?: string | undefined; tail?: string },
  ): Promise<Row[]> {
    const values = new Values();
    const condition = conditionOf(asked.where, asked.search, values);
    const statement = `select ${what} from ${this.#table} where ${condition} ${asked.tail ?? ""}`;
    return this.database.read(statement, values.all);
  }

  async *scan(options: { where?: Where<K>; newestFirst?: boolean } = {}): AsyncIterable<T> {
    const { where, newestFirst = false } = options;
    const [sign, order] = newestFirst ? ["<", "desc"] : [">", ""];
    for (let last: string | undefined = newestFirst ? "9223372036854775807" : "0"; last;) {
      const tail: string = `and seq ${sign} ${last} order by seq ${order} limit ${AT_ONCE}`;
      const rows: Row[] = await this.#select("seq, value", { where, tail });
      for (const row of rows) yield recordOf<T>(row);
      last = rows.length === AT_ONCE ? String(rows.at(-1)!.seq) : undefined;
    }
  }

  /** Resolves when every change taken is settled. */
  async close(): Promise<void> {
    await this.#batches.close();
    clearTimeout(this.#vacuuming);
  }
}

/** Trusted: it was checked when it was written, and a start brings all to the present version. */
export const recordOf = <T>({ value }: { readonly value: unknown }): T => deepFreeze(value as T);

function keyOf<K>(keys: object): K {
  const entries = Object.entries(keys).map(([name, value]) => [
    name,
    typeof value === "string" ? asKept(value) : value,
  ]);
  return Object.freeze(Object.fromEntries(entries)) as K;
}
