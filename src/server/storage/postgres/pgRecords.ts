/** A list without end, in a table of its own: what is asked for is looked up there. */
import type { RecordsSpec } from "../entitySpecs.ts";
import { canonical } from "../envelope.ts";
import type { Page, PageRequest, Records } from "../store.ts";
import type { Where } from "../where.ts";
import { Batches, type Outcome } from "./batches.ts";
import { inSteps, ListInTransaction, type Step } from "./recordChanges.ts";
import { recordsTable } from "./recordColumns.ts";
import { listIn, RecordReads } from "./recordReads.ts";
import type { Vacuum } from "./vacuum.ts";
import type { Writes, Writing } from "./writes.ts";

type Change<T extends { id: string }, K> =
  { readonly insert: T } | { readonly apply: Apply<T, K, unknown> };
type Apply<T extends { id: string }, K, R> = (list: ListInTransaction<T, K>) => Promise<R>;

export class PgRecords<T extends { id: string }, K>
  extends RecordReads<T, K>
  implements Records<T, K>
{
  readonly #parts = new WeakMap<Writing, ListInTransaction<T, K>>();
  readonly #batches = new Batches<Change<T, K>>((changes) =>
    this.writes.run(this.name, (writing) => this.#applied(writing, changes)),
  );

  constructor(
    readonly writes: Writes,
    spec: RecordsSpec<T, K>,
    readonly vacuum: Vacuum,
  ) {
    const { database } = writes;
    super(listIn(database.table(recordsTable(spec.name)), spec), (...asked) =>
      database.read(...asked),
    );
  }

  get name(): string {
    return this.list.spec.name;
  }

  /** The list as a transaction changes it. */
  within(writing: Writing): ListInTransaction<T, K> {
    const known = this.#parts.get(writing);
    if (known) return known;
    const { database } = this.writes;
    const erased = () => this.vacuum.soon();
    const part = new ListInTransaction(this.list, { database, writing, erased });
    this.#parts.set(writing, part);
    writing.parts.push(part);
    return part;
  }

  /** One after the other; inserts that follow one another by one statement. */
  async #applied(writing: Writing, changes: readonly Change<T, K>[]): Promise<Outcome[]> {
    const list = this.within(writing);
    // Before the first savepoint, which would give it free.
    if (changes.some((change) => "apply" in change)) await list.hold();
    const outcomes: Outcome[] = [];
    for (let at = 0; at < changes.length;) {
      const records: T[] = [];
      let change = changes[at];
      for (; change && "insert" in change; change = changes[++at]) records.push(change.insert);
      if (records.length > 0) outcomes.push(...(await list.insertAll(records))); // oxlint-disable-line no-await-in-loop -- in their order
      if (!change || !("apply" in change)) continue;
      const { apply } = change;
      outcomes.push(await writing.tried(list, () => apply(list))); // oxlint-disable-line no-await-in-loop
      at++;
    }
    return outcomes;
  }

  #apply<R>(apply: Apply<T, K, R>): Promise<R> {
    return this.#batches.run<R>({ apply });
  }

  async insert(record: T): Promise<T> {
    return this.#batches.run({ insert: canonical(this.list.spec.schema, this.name, record) });
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

  glance(request: PageRequest<K>): Promise<Page<T>> {
    return this.page(request);
  }

  /** Resolves when every change taken is settled. */
  close(): Promise<void> {
    return this.#batches.close();
  }
}
