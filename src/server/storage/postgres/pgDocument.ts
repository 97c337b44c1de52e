/** One value in one row: reads come from memory, changes go through a transaction that holds the row. */
import type { DocumentSpec } from "../entitySpecs.ts";
import { canonical, deepFreeze, valueOf } from "../envelope.ts";
import { type ChangeOfItem, withItem } from "../listedItem.ts";
import type { Document, RevisionSummary, Snapshot } from "../store.ts";
import { Batches, type Outcome } from "./batches.ts";
import type { Changes } from "./changes.ts";
import type { Database, Transaction } from "./database.ts";

/** How many earlier revisions are kept. */
const KEPT = 50;

type Update<T> = (current: T, snapshot: Snapshot<T>) => T;

interface Row {
  readonly version: number;
  readonly revision: string;
  readonly saved_at: string;
  readonly value: unknown;
}

export class PgDocument<T> implements Document<T> {
  #snapshot!: Snapshot<T>;
  readonly #batches = new Batches<Update<T>>({ commit: (changes) => this.#commit(changes) });

  constructor(
    readonly database: Database,
    readonly changes: () => Changes,
    readonly spec: DocumentSpec<T>,
  ) {}

  get #name(): string {
    return this.spec.format.entity;
  }

  /** Takes over what is stored, and tells those who listen when it is another. */
  async readAnew(): Promise<void> {
    const before = this.#snapshot;
    const [row] = await this.database.read(
      `select * from ${this.database.table("documents")} where name = $1`,
      [this.#name],
    );
    // A change was stored meanwhile, which this look may have missed. (A lower revision alone proves nothing:
    // what was put in by hand is taken over too.)
    if (this.#snapshot !== before) return this.readAnew();
    const next = this.#of(row as Row);
    if (this.#snapshot === next) return;
    const isFirst = this.#snapshot === undefined;
    this.#snapshot = next;
    if (!isFirst) this.database.announce(this.#name);
  }

  /** The snapshot in memory where it is the same: what was given out stays equal. */
  #of({ version, revision, saved_at: savedAt, value }: Row): Snapshot<T> {
    const known = this.#snapshot;
    if (known?.revision === Number(revision) && known.savedAt === savedAt) return known;
    const present = deepFreeze(valueOf(this.spec.format, version, value, true));
    return Object.freeze({ revision: Number(revision), savedAt, value: present });
  }

  read(): Snapshot<T> {
    return this.#snapshot;
  }

  update(change: Update<T>): Promise<Snapshot<T>> {
    return this.#batches.run(change);
  }

  put(id: string, change: ChangeOfItem<T>): Promise<Snapshot<T>> {
    return this.update((list) => withItem(list, id, change));
  }

  async #commit(changes: readonly Update<T>[]): Promise<readonly Outcome[]> {
    const { outcomes, next } = await this.database.write(this.#name, async (transaction) => {
      const [row] = await transaction.unsafe(
        `select * from ${this.database.table("documents")} where name = $1 for update`,
        [this.#name],
      );
      const before = this.#of(row as Row);
      const staged = this.#staged(before, changes);
      if (staged.next !== before) await this.#store(transaction, staged.next);
      return staged;
    });
    const isOther = next !== this.#snapshot && next.revision >= this.#snapshot.revision;
    if (isOther) {
      this.#snapshot = next;
      this.database.announce(this.#name);
    }
    return outcomes;
  }

  /** One change after the other, each on what the one before has left. */
  #staged(before: Snapshot<T>, changes: readonly Update<T>[]) {
    const { schema, entity } = this.spec.format;
    let next = before;
    const outcomes = changes.map((change): Outcome => {
      try {
        const given = change(next.value, next);
        if (given !== next.value) {
          const value = canonical(schema, entity, given);
          const savedAt = new Date().toISOString();
          next = Object.freeze({ revision: next.revision + 1, savedAt, value });
        }
        const mine = next;
        return () => mine;
      } catch (error) {
        return () => {
          throw error;
        };
      }
    });
    return { outcomes, next };
  }

  async #store(transaction: Transaction, { revision, savedAt, value }: Snapshot<T>): Promise<void> {
    const { database, spec } = this;
    const [documents, history] = [database.table("documents"), database.table("history")];
    const keep = `kept as (insert into ${history} select name, revision, version, saved_at, value
        from ${documents} where name = $1),
      gone as (delete from ${history} where name = $1 and revision <= (select revision from ${history}
        where name = $1 order by revision desc offset ${KEPT - 1} limit 1))`;
    await transaction.unsafe(
      `${spec.keepHistory ? `with ${keep}` : ""} update ${documents}
        set version = $2::int, revision = $3::bigint, saved_at = $4, value = $5::text::json where name = $1`,
      [this.#name, spec.format.version, revision, savedAt, JSON.stringify(value)],
    );
    await this.changes().tell(transaction, { document: this.#name, revision });
  }

  async history(): Promise<RevisionSummary[]> {
    const rows = await this.database.read(
      `select revision, saved_at from ${this.database.table("history")} where name = $1
        order by revision desc limit ${KEPT}`,
      [this.#name],
    );
    return rows.map((row) => ({ revision: Number(row.revision), savedAt: row.saved_at as string }));
  }

  async revision(number: number): Promise<Snapshot<T> | undefined> {
    if (number === this.#snapshot.revision) return this.#snapshot;
    const [row] = await this.database.read(
      `select * from ${this.database.table("history")} where name = $1 and revision = $2::bigint`,
      [this.#name, number],
    );
    if (!row) return undefined;
    try {
      return this.#of(row as Row);
    } catch {
      // Of a release that this one has no way from: left out, as it is of a folder.
      return undefined;
    }
  }

  /** Resolves when every change taken is settled. */
  close(): Promise<void> {
    return this.#batches.close();
  }
}
