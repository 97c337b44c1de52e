/** A record list in its own table, where reads look. */
import type { RecordsSpec } from "../entitySpecs.ts";
import type { Records } from "../store.ts";
import type { Where } from "../where.ts";
import { inSteps, ListInTransaction, type Step } from "./recordChanges.ts";
import { recordsTable } from "./recordColumns.ts";
import { listIn, RecordReads } from "./recordReads.ts";
import type { Vacuum } from "./vacuum.ts";
import type { Writes, Writing } from "./writes.ts";

export class PgRecords<T extends { id: string }, K>
  extends RecordReads<T, K>
  implements Records<T, K>
{
  constructor(
    readonly writes: Writes,
    spec: RecordsSpec<T, K>,
    readonly vacuum: Vacuum,
  ) {
    const { database } = writes;
    super(listIn(database.table(recordsTable(spec.name)), spec), (...given) =>
      database.read(...given),
    );
  }

  get name(): string {
    return this.list.spec.name;
  }

  /** The list within a transaction. */
  within(writing: Writing): ListInTransaction<T, K> {
    const { database } = this.writes;
    const erased = () => this.vacuum.soon();
    return writing.partOf(
      this,
      () => new ListInTransaction(this.list, { database, writing, erased }),
    );
  }

  #apply<R>(apply: (list: ListInTransaction<T, K>) => Promise<R>): Promise<R> {
    return this.writes.run(this.name, (writing) => apply(this.within(writing)));
  }

  insert(record: T): Promise<T> {
    return this.#apply((list) => list.insert(record));
  }

  upsert(unique: string, change: (existing: T | undefined) => T): Promise<T> {
    return this.#apply((list) => list.upsert(unique, change));
  }

  updateUnique(unique: string, change: (record: T) => T): Promise<void> {
    return this.#apply((list) => list.updateUnique(unique, change));
  }

  update(id: string, change: (record: T) => T): Promise<T | undefined> {
    return this.#apply((list) => list.update(id, change));
  }

  delete(id: string): Promise<T | undefined> {
    return this.#apply((list) => list.delete(id));
  }

  updateWhere(where: Where<K>, change: (record: T) => T): Promise<number> {
    return inSteps((from) => this.#apply<Step>((list) => list.updateSome(where, from, change)));
  }

  deleteWhere(where: Where<K>): Promise<number> {
    return inSteps(() => this.#apply<Step>((list) => list.deleteSome(where)));
  }
}
