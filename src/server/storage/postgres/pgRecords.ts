/** A record list in its own table. Reads query the table; changes run within a database transaction. */
import { conflict } from "../../shared/errors.ts";
import { canonicalize } from "../storedValue.ts";
import type { RecordsSpec } from "../entitySpecs.ts";
import type { RecordChanges, Records } from "../store.ts";
import type { Where } from "../where.ts";
import { type Database, getSqlState } from "./database.ts";
import {
  toColumns,
  ROWS_FROM_JSON_SQL,
  createWhereClause,
  encodeNul,
  SqlParameters,
} from "./recordsSql.ts";
import { parseRecord, RecordReader } from "./recordReader.ts";
import type { StagedEntity, StagedCommit, TransactionQueue } from "./transactionQueue.ts";

export class PgRecords<T extends { id: string }, K>
  extends RecordReader<T, K>
  implements Records<T, K>
{
  constructor(
    readonly queue: TransactionQueue,
    spec: RecordsSpec<T, K>,
  ) {
    const { database } = queue;
    super(database, spec, (...args) => database.read(...args));
  }

  stage(commit: StagedCommit): StagedList<T, K> {
    return commit.getStagedState(this, () => new StagedList(this.database, this.spec, commit));
  }

  #change<R>(change: (staged: StagedList<T, K>) => Promise<R>): Promise<R> {
    return this.queue.run(this.name, (commit) => change(this.stage(commit)));
  }

  insert(record: T): Promise<T> {
    return this.#change((staged) => staged.insert(record));
  }

  upsert(uniqueKey: string, change: (existing: T | undefined) => T): Promise<T> {
    return this.#change((staged) => staged.upsert(uniqueKey, change));
  }

  updateUnique(uniqueKey: string, change: (record: T) => T): Promise<void> {
    return this.#change((staged) => staged.updateUnique(uniqueKey, change));
  }

  update(id: string, change: (record: T) => T): Promise<T | undefined> {
    return this.#change((staged) => staged.update(id, change));
  }

  delete(id: string): Promise<T | undefined> {
    return this.#change((staged) => staged.delete(id));
  }

  updateWhere(where: Where<K>, change: (record: T) => T): Promise<number> {
    return runInBatches((afterSeq) =>
      this.#change<BatchResult>((staged) => staged.updateBatch(where, afterSeq, change)),
    );
  }

  deleteWhere(where: Where<K>): Promise<number> {
    return runInBatches(() => this.#change<BatchResult>((staged) => staged.deleteBatch(where)));
  }
}

const MAX_ROWS_PER_STATEMENT = 500;

class StagedList<T extends { id: string }, K>
  extends RecordReader<T, K>
  implements RecordChanges<T, K>, StagedEntity
{
  isDirty = false;
  /** The columns of inserted records, which `flush` sends in one statement. */
  readonly #inserts: object[] = [];

  constructor(
    database: Database,
    spec: RecordsSpec<T, K>,
    readonly commit: StagedCommit,
  ) {
    super(database, spec, (statement, parameters) => commit.query(statement, parameters));
  }

  #toCanonical(value: T): T {
    return canonicalize(this.spec.schema, this.name, value);
  }

  /** Collects the record for `flush`. A conflict is found only later, when the statement runs. */
  async insert(value: T): Promise<T> {
    const record = this.#toCanonical(value);
    this.#inserts.push(toColumns(this.spec, record));
    this.isDirty = true;
    return record;
  }

  async insertMissing(record: T): Promise<void> {
    if (!(await this.get(record.id))) await this.insert(record);
  }

  flush(): void {
    if (this.#inserts.length > 0) this.commit.trackStatement(this.#insertAll());
  }

  async #insertAll(): Promise<void> {
    const { spec, table } = this;
    const inserts = this.#inserts.splice(0);
    const rows = await this.commit.execute(
      `insert into ${table} (id, uniq, version, keys, search, bytes, value)
        select id, uniq, $2::int, keys, search, bytes, value::json from ${ROWS_FROM_JSON_SQL}
        on conflict do nothing returning id`,
      [JSON.stringify(inserts), spec.version],
    );
    if (rows.length < inserts.length) throw conflict();
  }

  /** Stores a changed record. Throws `conflict`, `invalid_value`, and an Error if the id changes. */
  async #change(record: T, changedRecord: T): Promise<T> {
    const next = this.#applyChange(record, changedRecord);
    if (next !== record) await this.#replace([next]);
    return next;
  }

  #applyChange(record: T, changedRecord: T): T {
    if (changedRecord === record) return record;
    const next = this.#toCanonical(changedRecord);
    if (next.id !== record.id) throw new Error("A change must keep the record's id.");
    return next;
  }

  async #replace(records: readonly T[]): Promise<void> {
    const { spec, table } = this;
    const columns = records.map((record) => toColumns(spec, record));
    await this.read(
      `update ${table} t set uniq = r.uniq, version = $2::int, keys = r.keys, search = r.search,
        bytes = r.bytes, value = r.value::json from ${ROWS_FROM_JSON_SQL} where t.id = r.id`,
      [JSON.stringify(columns), spec.version],
    ).catch((error: unknown) => {
      throw getSqlState(error) === UNIQUE_VIOLATION ? conflict() : error;
    });
    this.isDirty = true;
  }

  async upsert(uniqueKey: string, change: (existing: T | undefined) => T): Promise<T> {
    const existing = await this.findUnique(uniqueKey);
    const changedRecord = change(existing);
    if (existing && changedRecord === existing) return changedRecord;
    const next = this.#toCanonical(changedRecord);
    if (this.spec.getUniqueKey?.(next) !== uniqueKey)
      throw new Error("An upsert must keep the record's unique key.");
    return existing ? this.#change(existing, next) : this.insert(next);
  }

  async updateUnique(uniqueKey: string, change: (record: T) => T): Promise<void> {
    const existing = await this.findUnique(uniqueKey);
    if (existing) await this.#change(existing, change(existing));
    // Writes to the disk like a change does, so that the response time doesn't reveal whether the record exists.
    else
      await this.read(
        `update ${this.database.getTableName("meta")} set value = value where name = 'nobody'`,
        [],
      );
  }

  async update(id: string, change: (record: T) => T): Promise<T | undefined> {
    const existing = await this.get(id);
    return existing && this.#change(existing, change(existing));
  }

  async delete(id: string): Promise<T | undefined> {
    const [row] = await this.read(`delete from ${this.table} where id = $1::text returning value`, [
      encodeNul(id),
    ]);
    if (!row) return undefined;
    this.isDirty = true;
    return parseRecord(this.spec, row);
  }

  updateWhere(where: Where<K>, change: (record: T) => T): Promise<number> {
    return runInBatches((afterSeq) => this.updateBatch(where, afterSeq, change));
  }

  deleteWhere(where: Where<K>): Promise<number> {
    return runInBatches(() => this.deleteBatch(where));
  }

  async updateBatch(
    where: Where<K>,
    afterSeq: string,
    change: (record: T) => T,
  ): Promise<BatchResult> {
    const rows = await this.select("seq, value", {
      where,
      createTail: (parameters) =>
        `and seq > ${parameters.add(afterSeq)}::bigint order by seq limit ${MAX_ROWS_PER_STATEMENT}`,
    });
    const changedRecords = rows.flatMap((row) => {
      const record = parseRecord(this.spec, row);
      const next = this.#applyChange(record, change(record));
      return next === record ? [] : next;
    });
    if (changedRecords.length > 0) await this.#replace(changedRecords);
    const lastSeq = rows.length === MAX_ROWS_PER_STATEMENT ? String(rows.at(-1).seq) : undefined;
    return { changedCount: changedRecords.length, lastSeq };
  }

  async deleteBatch(where: Where<K>): Promise<BatchResult> {
    const parameters = new SqlParameters();
    const condition = createWhereClause(where, undefined, parameters, this.getColumn);
    const { table } = this;
    const rows = await this.read(
      `delete from ${table} where seq in
        (select seq from ${table} where ${condition} order by seq limit ${MAX_ROWS_PER_STATEMENT}) returning seq`,
      parameters.values,
    );
    if (rows.length > 0) this.isDirty = true;
    return {
      changedCount: rows.length,
      lastSeq: rows.length === MAX_ROWS_PER_STATEMENT ? "0" : undefined,
    };
  }
}

interface BatchResult {
  readonly changedCount: number;
  /** The `seq` of the record after which the next batch starts; undefined after the last batch. */
  readonly lastSeq: string | undefined;
}

async function runInBatches(runBatch: (afterSeq: string) => Promise<BatchResult>): Promise<number> {
  let totalChanged = 0;
  for (let afterSeq: string | undefined = "0"; afterSeq !== undefined;) {
    const { changedCount, lastSeq }: BatchResult = await runBatch(afterSeq);
    totalChanged += changedCount;
    afterSeq = lastSeq;
  }
  return totalChanged;
}

const UNIQUE_VIOLATION = "23505";
