/** A record list in its own table, which reads query. */
import type { RecordsSpec } from "../entitySpecs.ts";
import type { Records } from "../store.ts";
import type { Where } from "../where.ts";
import { inSteps, StagedList, type Step } from "./recordChanges.ts";
import { recordsTable } from "./recordColumns.ts";
import { listIn, RecordReads } from "./recordReads.ts";
import type { Writes, StagedCommit } from "./writes.ts";

export class PgRecords<T extends { id: string }, K>
  extends RecordReads<T, K>
  implements Records<T, K>
{
  constructor(
    readonly writes: Writes,
    spec: RecordsSpec<T, K>,
  ) {
    const { database } = writes;
    super(listIn(database.table(recordsTable(spec.name)), spec), (...args) =>
      database.read(...args),
    );
  }

  get name(): string {
    return this.list.spec.name;
  }

  /** The list within a transaction. */
  stage(commit: StagedCommit): StagedList<T, K> {
    return commit.of(this, () => new StagedList(this.list, this.writes.database, commit));
  }

  #apply<R>(apply: (list: StagedList<T, K>) => Promise<R>): Promise<R> {
    return this.writes.run(this.name, (commit) => apply(this.stage(commit)));
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
