/** The changes to one entity's records that share a transaction, one after the other. */
import { conflict } from "../../shared/errors.ts";
import type { RecordsSpec } from "../entitySpecs.ts";
import { canonical, deepFreeze } from "../envelope.ts";
import type { Where } from "../where.ts";
import type { Outcome } from "./batches.ts";
import { type Database, type Queries, stateOf, type Transaction } from "./database.ts";
import { columnsOf, recordsTable, ROWS } from "./recordColumns.ts";
import { Differences } from "./tallies.ts";
import { conditionOf, keepable, Values } from "./whereSql.ts";

export type RecordsChange<T extends { id: string }, K> =
  { readonly insert: T } | { readonly apply: (batch: RecordsBatch<T, K>) => Promise<unknown> };

interface Found<T> {
  readonly seq: string;
  readonly bytes: number;
  readonly record: T;
}

export class RecordsBatch<T extends { id: string }, K> {
  outcomes: Outcome[] = [];
  differences: Differences<T, K>;
  isDirty = false;
  /** What was there before is to be nowhere afterwards. */
  isErasing = false;
  /** Of the transaction, once it has been told of. */
  number = 0n;
  readonly #table: string;
  #queries: Queries;

  constructor(
    readonly database: Database,
    readonly spec: RecordsSpec<T, K>,
    readonly transaction: Transaction,
  ) {
    this.#table = database.table(recordsTable(spec.name));
    this.#queries = transaction;
    this.differences = new Differences(spec);
  }

  async run(changes: readonly RecordsChange<T, K>[]): Promise<void> {
    // Changes pass one instance after the other; inserts alone need not wait for one another.
    if (changes.some((change) => "apply" in change))
      await this.transaction.unsafe("select pg_advisory_xact_lock($1::bigint)", [
        this.database.lockNumber(`records ${this.spec.name}`),
      ]);
    for (let at = 0; at < changes.length;) {
      const change = changes[at]!;
      if ("apply" in change) {
        await this.#apply(change.apply);
        at++;
        continue;
      }
      const records: T[] = [];
      for (let next = changes[at]; next && "insert" in next; next = changes[++at])
        records.push(next.insert);
      await this.#insertAll(records);
    }
  }

  async #insertAll(records: readonly T[]): Promise<void> {
    const columns = records.map((record) => columnsOf(this.spec, record));
    const free = new Set(await this.#stored(columns));
    for (const [at, record] of records.entries()) {
      const { id, bytes } = columns[at]!;
      // Of two with one id, the first.
      if (free.delete(id)) {
        this.#changed(record, bytes, 1);
        this.outcomes.push(() => record);
      } else
        this.outcomes.push(() => {
          throw conflict();
        });
    }
  }

  /** The ids of those that were free. */
  async #stored(columns: readonly { readonly id: string }[]): Promise<string[]> {
    const rows = await this.#queries.unsafe(
      `insert into ${this.#table} (id, uniq, version, keys, search, bytes, value)
        select id, uniq, $2::int, keys, search, bytes, value::json from ${ROWS}
        on conflict do nothing returning id`,
      [JSON.stringify(columns), this.spec.version],
    );
    return (rows as { id: string }[]).map(({ id }) => id);
  }

  /** What fails leaves nothing behind, and the others as they are. */
  async #apply(work: (batch: this) => Promise<unknown>): Promise<void> {
    const before = this.differences.all;
    const { isDirty, isErasing } = this;
    try {
      const result = await this.transaction.savepoint(async (savepoint) => {
        this.#queries = savepoint;
        return work(this);
      });
      this.outcomes.push(() => result);
    } catch (error) {
      const isOurs = !(error instanceof Error) || stateOf(error) === "";
      if (!isOurs && stateOf(error) !== TAKEN) throw error;
      this.differences = Differences.from(this.spec, before);
      Object.assign(this, { isDirty, isErasing });
      this.outcomes.push(() => {
        throw isOurs ? error : conflict();
      });
    } finally {
      this.#queries = this.transaction;
    }
  }

  #changed(record: T, bytes: number, sign: 1 | -1): void {
    this.differences.record(record, bytes, sign);
    this.isDirty = true;
  }

  async #find(column: "id" | "uniq", value: string): Promise<Found<T> | undefined> {
    const [row] = await this.#queries.unsafe(
      `select seq, bytes, value from ${this.#table} where ${column} = $1::text for update`,
      [keepable(value)],
    );
    return row && foundIn<T>(row);
  }

  /** Throws `invalid_value` and `conflict`, and an Error when the id is another one. */
  async #change({ seq, bytes, record }: Found<T>, given: T): Promise<T> {
    if (given === record) return record;
    const next = canonical(this.spec.schema, this.spec.name, given);
    if (next.id !== record.id) throw new Error("A change must keep the record's id.");
    const columns = columnsOf(this.spec, next);
    await this.#queries.unsafe(
      `update ${this.#table} t set uniq = r.uniq, version = $2::int, keys = r.keys, search = r.search,
        bytes = r.bytes, value = r.value::json from ${ROWS} where t.seq = $3::bigint`,
      [JSON.stringify([columns]), this.spec.version, seq],
    );
    this.#changed(record, bytes, -1);
    this.#changed(next, columns.bytes, 1);
    this.isErasing = true;
    return next;
  }

  async upsert(unique: string, change: (existing: T | undefined) => T): Promise<T> {
    const existing = await this.#find("uniq", unique);
    const given = change(existing?.record);
    if (existing && given === existing.record) return given;
    const next = canonical(this.spec.schema, this.spec.name, given);
    if (this.spec.unique?.(next) !== unique)
      throw new Error("An upsert must keep the record's unique key.");
    if (existing) return this.#change(existing, next);
    const columns = columnsOf(this.spec, next);
    if ((await this.#stored([columns])).length === 0) throw conflict();
    this.#changed(next, columns.bytes, 1);
    return next;
  }

  async updateUnique(unique: string, change: (record: T) => T): Promise<void> {
    const existing = await this.#find("uniq", unique);
    if (existing) await this.#change(existing, change(existing.record));
    // As much work, to the disk and back, as a change would be.
    else
      await this.#queries.unsafe(
        `update ${this.database.table("meta")} set value = value where name = 'nobody'`,
      );
  }

  async update(id: string, change: (record: T) => T): Promise<T | undefined> {
    const existing = await this.#find("id", id);
    return existing && this.#change(existing, change(existing.record));
  }

  async delete(id: string): Promise<T | undefined> {
    const [row] = await this.#queries.unsafe(
      `delete from ${this.#table} where id = $1::text returning seq, bytes, value`,
      [keepable(id)],
    );
    if (!row) return undefined;
    const { record, bytes } = foundIn<T>(row);
    this.#changed(record, bytes, -1);
    this.isErasing = true;
    return record;
  }

  /** `last`: where to go on; undefined when that was all. */
  async updateSome(where: Where<K>, after: string, limit: number, change: (record: T) => T) {
    const values = new Values();
    const condition = conditionOf(where, undefined, values);
    const from = values.add(after);
    const rows: unknown[] = await this.#queries.unsafe(
      `select seq, bytes, value from ${this.#table} where ${condition} and seq > ${from}::bigint
        order by seq limit ${limit} for update`,
      values.all,
    );
    let changed = 0;
    for (const found of rows.map((row) => foundIn<T>(row)))
      if ((await this.#change(found, change(found.record))) !== found.record) changed++;
    const last = rows.length === limit ? foundIn<T>(rows.at(-1)).seq : undefined;
    return { changed, last };
  }

  async deleteSome(where: Where<K>, limit: number): Promise<number> {
    const values = new Values();
    const condition = conditionOf(where, undefined, values);
    const rows: { keys: Partial<K>; bytes: number }[] = await this.#queries.unsafe(
      `delete from ${this.#table} where seq in
        (select seq from ${this.#table} where ${condition} order by seq limit ${limit})
        returning keys, bytes`,
      values.all,
    );
    for (const { keys, bytes } of rows) this.differences.key(keys, bytes, -1);
    if (rows.length > 0) this.isDirty = this.isErasing = true;
    return rows.length;
  }
}

/** Of the SQL standard: a key that is unique is there already. */
const TAKEN = "23505";

function foundIn<T>(row: unknown): Found<T> {
  const { seq, bytes, value } = row as { seq: unknown; bytes: number; value: T };
  return { seq: String(seq), bytes: Number(bytes), record: deepFreeze(value) };
}
