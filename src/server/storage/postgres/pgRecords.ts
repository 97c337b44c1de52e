/** A list without end, in a table of its own: what is asked for is looked up there, counts are in memory. */
import { conflict } from "../../shared/errors.ts";
import type { RecordsSpec } from "../entitySpecs.ts";
import { canonical } from "../envelope.ts";
import type { Glance, Group, Page, PageRequest, Records } from "../store.ts";
import type { Where } from "../where.ts";
import { Batches, type Outcome } from "./batches.ts";
import type { Changes } from "./changes.ts";
import { isCountable, isPaged } from "./countColumns.ts";
import type { Database } from "./database.ts";
import { RecordsBatch, type RecordsChange } from "./recordsBatch.ts";
import { recordOf, RecordPages, type Row } from "./recordPages.ts";
import { columnsOf, recordsTable, ROWS } from "./recordColumns.ts";
import { countedIn, type Difference, Tallies } from "./tallies.ts";
import { asKept, keepable, Values } from "./whereSql.ts";

/** Of one look, where more are to come. */
const AT_ONCE = 500;
/** After what was erased, how long until its room is given free, in milliseconds. */
const VACUUM_AFTER = 5000;
/** How long a stop waits for that, in milliseconds. */
const STOPS_WITHIN = 4000;

export class PgRecords<T extends { id: string }, K> implements Records<T, K> {
  readonly #tallies: Tallies<K>;
  readonly #table: string;
  readonly #pages: RecordPages<T, K>;
  readonly #batches = new Batches<RecordsChange<T, K>>({
    commit: (changes) => this.#commit(changes),
    isFree: (change) => "insert" in change,
  });
  /** Whether counting all anew is fast. */
  isCountable = true;
  /** Whether the list is as this release makes a new one. */
  get isReady(): boolean {
    return this.isCountable && (this.#pages.isPaged || this.spec.parent === undefined);
  }
  #vacuuming: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly database: Database,
    readonly changes: () => Changes,
    readonly spec: RecordsSpec<T, K>,
  ) {
    this.#tallies = new Tallies(spec);
    this.#table = database.table(recordsTable(spec.name));
    this.#pages = new RecordPages(database, this.#table, this.#tallies);
  }

  /** Counts all anew. */
  async readAnew(): Promise<void> {
    const { database, spec } = this;
    this.isCountable = await isCountable(database, database.sql, spec);
    this.#pages.isPaged = await isPaged(database, database.sql, spec);
    await this.#tallies.recount(() => countedIn(database, this.#table, spec, this.isCountable));
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

  /** So that what was erased is in no table or index of the database either; its log and its copies keep it longer. */
  #vacuumSoon(): void {
    this.#vacuuming ??= setTimeout(() => {
      this.#vacuuming = undefined;
      void this.database.vacuum(this.#table);
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
    const rows = await this.#pages.select("id", { where: { id: { oneOf: asked } } as Where<any> });
    return new Set(rows.map((row) => asKept((row as unknown as { id: string }).id)));
  }

  async keys(where?: Where<K>): Promise<readonly K[]> {
    const rows = await this.#pages.select("keys", { where, tail: "order by seq" });
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

  page(request: PageRequest<K>): Promise<Page<T>> {
    return this.#pages.page(request);
  }

  glance(request: PageRequest<K>): Promise<Glance<T>> {
    return this.#pages.glance(request);
  }

  async *scan(options: { where?: Where<K>; newestFirst?: boolean } = {}): AsyncIterable<T> {
    const { where, newestFirst = false } = options;
    const [sign, order] = newestFirst ? ["<", "desc"] : [">", ""];
    for (let last: string | undefined = newestFirst ? "9223372036854775807" : "0"; last;) {
      const tail: string = `and seq ${sign} ${last} order by seq ${order} limit ${AT_ONCE}`;
      const rows: Row[] = await this.#pages.select("seq, value", { where, tail });
      for (const row of rows) yield recordOf<T>(row);
      last = rows.length === AT_ONCE ? String(rows.at(-1)!.seq) : undefined;
    }
  }

  /** Resolves when every change taken is settled. */
  async close(): Promise<void> {
    await this.#batches.close();
    if (!this.#vacuuming) return;
    clearTimeout(this.#vacuuming);
    await this.database.vacuum(this.#table, STOPS_WITHIN);
  }
}

function keyOf<K>(keys: object): K {
  const entries = Object.entries(keys).map(([name, value]) => [
    name,
    typeof value === "string" ? asKept(value) : value,
  ]);
  return Object.freeze(Object.fromEntries(entries)) as K;
}
