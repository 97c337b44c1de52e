/** A document that is stored in one row. Reads use memory, and changes lock the row in a transaction. */
import { type DocumentSpec, MAX_REVISIONS } from "../entitySpecs.ts";
import { canonicalize, deepFreeze, migrateStoredValue } from "../storedValue.ts";
import type { Document, DocumentChanges, RevisionSummary, Snapshot } from "../store.ts";
import type { Database } from "./database.ts";
import type { StagedEntity, TransactionQueue, StagedCommit } from "./transactionQueue.ts";

type UpdateDocument<T> = (current: T, snapshot: Snapshot<T>) => T;

export interface DocumentRow {
  readonly version: number;
  readonly revision: string;
  readonly saved_at: string;
  readonly value: unknown;
}

export class PgDocument<T> implements Document<T> {
  #snapshot!: Snapshot<T>;

  constructor(
    readonly queue: TransactionQueue,
    readonly spec: DocumentSpec<T>,
  ) {}

  get name(): string {
    return this.spec.format.entity;
  }

  /** Updates memory from a row. `before` was in memory when the read began. Returns whether memory changed. */
  applyRow(row: DocumentRow, before: Snapshot<T> | undefined): boolean {
    const current = this.#snapshot;
    const next = this.toSnapshot(row);
    // If memory changed since the read began, the row may be older than memory. If memory didn't change, a row with a
    // lower revision is accepted, since an operator may have edited it.
    if (current !== before && next.revision <= current.revision) return false;
    this.#snapshot = next;
    return next !== current;
  }

  /** Returns the snapshot in memory if it has the row's revision, so that callers can compare references. */
  toSnapshot({ version, revision, saved_at: savedAt, value }: DocumentRow): Snapshot<T> {
    const current = this.#snapshot;
    if (current?.revision === Number(revision) && current.savedAt === savedAt) return current;
    const migratedValue = deepFreeze(migrateStoredValue(this.spec.format, version, value, true));
    return Object.freeze({ revision: Number(revision), savedAt, value: migratedValue });
  }

  read(): Snapshot<T> {
    return this.#snapshot;
  }

  /** Updates memory if it has no newer snapshot. Call only after the change is stored. */
  applySnapshot(next: Snapshot<T>): void {
    if (next.revision >= this.#snapshot.revision) this.#snapshot = next;
  }

  stage(commit: StagedCommit): StagedDocument<T> {
    return commit.getStagedState(this, () => new StagedDocument(this, commit));
  }

  update(change: UpdateDocument<T>): Promise<Snapshot<T>> {
    return this.queue.run(this.name, (commit) => this.stage(commit).update(change));
  }

  async listRevisions(): Promise<RevisionSummary[]> {
    const { database } = this.queue;
    const rows: { revision: string; saved_at: string }[] = await database.read(
      `select revision, saved_at from ${database.getTableName("history")} where name = $1
        order by revision desc limit ${MAX_REVISIONS}`,
      [this.name],
    );
    return rows.map((row) => ({ revision: Number(row.revision), savedAt: row.saved_at }));
  }

  async readRevision(number: number): Promise<Snapshot<T> | undefined> {
    if (number === this.#snapshot.revision) return this.#snapshot;
    const { database } = this.queue;
    const [row] = await database.read(
      `select * from ${database.getTableName("history")} where name = $1 and revision = $2::bigint`,
      [this.name, number],
    );
    return row && this.#toReadableSnapshot(row);
  }

  /** Returns undefined if this release can't migrate the row. A data folder also skips such revisions. */
  #toReadableSnapshot(row: DocumentRow): Snapshot<T> | undefined {
    try {
      return this.toSnapshot(row);
    } catch {
      return undefined;
    }
  }

  /** Changes all earlier revisions with `change`. Deletes the revisions that can't be read. Throws `cannot_store`. */
  async rewriteHistory(change: (value: T) => T): Promise<void> {
    const { database } = this.queue;
    const historyTable = database.getTableName("history");
    await database.write(this.name, async (transaction) => {
      const condition = `name = $1 and revision = $2::bigint`;
      for (const row of await transaction.unsafe(
        `select * from ${historyTable} where name = $1 for update`,
        [this.name],
      )) {
        const snapshot = this.#toReadableSnapshot(row);
        const value = snapshot && change(snapshot.value);
        if (snapshot && value === snapshot.value) continue;
        const parameters = [this.name, row.revision];
        if (value === undefined)
          await transaction.unsafe(`delete from ${historyTable} where ${condition}`, parameters);
        else
          await transaction.unsafe(
            `update ${historyTable} set version = $3::int, value = $4::text::json where ${condition}`,
            [...parameters, this.spec.format.version, JSON.stringify(value)],
          );
      }
    });
  }
}

/** Reads documents again in one statement. Returns the documents that changed. */
export async function reloadDocuments<D extends PgDocument<any>>(
  database: Database,
  documents: readonly D[],
): Promise<D[]> {
  const before = documents.map((document) => document.read());
  const rows: (DocumentRow & { name: string })[] = await database.read(
    `select * from ${database.getTableName("documents")}
      where name = any(array(select json_array_elements_text($1::text::json)))`,
    [JSON.stringify(documents.map(({ name }) => name))],
  );
  const byName = new Map(rows.map((row) => [row.name, row]));
  return documents.filter((document, index) => {
    const row = byName.get(document.name);
    return row !== undefined && document.applyRow(row, before[index]);
  });
}

class StagedDocument<T> implements DocumentChanges<T>, StagedEntity {
  isDirty = false;
  #next: Snapshot<T> | undefined;

  constructor(
    readonly document: PgDocument<T>,
    readonly commit: StagedCommit,
  ) {}

  get name(): string {
    return this.document.name;
  }

  /** Reads the document. The first call reads the row, and locks the row until the transaction ends. */
  async read(): Promise<Snapshot<T>> {
    if (this.#next) return this.#next;
    const [row] = await this.commit.query(
      `select * from ${this.document.queue.database.getTableName("documents")} where name = $1 for update`,
      [this.name],
    );
    return (this.#next = this.document.toSnapshot(row));
  }

  async update(change: UpdateDocument<T>): Promise<Snapshot<T>> {
    const before = await this.read();
    const next = change(before.value, before);
    if (next === before.value) return before;
    const value = canonicalize(this.document.spec.format.schema, this.name, next);
    const savedAt = new Date().toISOString();
    this.isDirty = true;
    return (this.#next = Object.freeze({ revision: before.revision + 1, savedAt, value }));
  }

  /** Stores the transaction's last revision, and adds the revision before the transaction to the history. */
  async beforeCommit(): Promise<void> {
    const { queue, spec } = this.document;
    const { revision, savedAt, value } = await this.read();
    const [documentsTable, historyTable] = ["documents", "history"].map((name) =>
      queue.database.getTableName(name),
    );
    const insertRevision = `inserted as (insert into ${historyTable} select name, revision, version, saved_at, value
        from ${documentsTable} where name = $1),
      deleted as (delete from ${historyTable} where name = $1 and revision <= (select revision from ${historyTable}
        where name = $1 order by revision desc offset ${MAX_REVISIONS - 1} limit 1))`;
    await this.commit.execute(
      `${spec.entity.hasHistory ? `with ${insertRevision}` : ""} update ${documentsTable}
        set version = $2::int, revision = $3::bigint, saved_at = $4, value = $5::text::json where name = $1`,
      [this.name, spec.format.version, revision, savedAt, JSON.stringify(value)],
    );
  }

  afterCommit(): void {
    if (this.#next) this.document.applySnapshot(this.#next);
  }
}
