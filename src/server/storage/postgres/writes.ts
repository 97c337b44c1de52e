/** The one way to write: a transaction of the database in which entities take part, and which memory follows once it is stored. */
import { isRefusal } from "../../shared/errors.ts";
import type { Outcome } from "./batches.ts";
import type { Changes } from "./changes.ts";
import { type Database, isFault, type Queries, type TransactionOfSql } from "./database.ts";

/** One entity in one transaction. */
export interface Part {
  readonly name: string;
  /** Whether the transaction has changed it. */
  isDirty: boolean;
  /** The statements that were left for the end. */
  finish(): Promise<void>;
  /** Called when all is stored: memory is brought to it. */
  follow(): void;
}

/** One transaction, and who takes part in it. */
export class Writing {
  /** Where statements go: the transaction, or a savepoint of it. */
  queries: Queries;
  readonly parts: Part[] = [];

  constructor(readonly transaction: TransactionOfSql) {
    this.queries = transaction;
  }

  /** What others who ask for the same lock wait for; given free at the end. */
  async lock(number: bigint): Promise<void> {
    await this.queries.unsafe("select pg_advisory_xact_lock($1::bigint)", [number]);
  }

  /** What fails leaves nothing behind, and those who share the transaction as they are. */
  async tried(part: Part, work: () => Promise<unknown>): Promise<Outcome> {
    const { isDirty } = part;
    try {
      const result = await this.transaction.savepoint((savepoint) => {
        this.queries = savepoint;
        return work();
      });
      return () => result;
    } catch (error) {
      if (isFault(error)) throw error;
      part.isDirty = isDirty;
      return () => {
        throw error;
      };
    } finally {
      this.queries = this.transaction;
    }
  }
}

export class Writes {
  constructor(
    readonly database: Database,
    readonly changes: Changes,
  ) {}

  /**
   * Stores all that `work` changes, or nothing; it may run again after a deadlock. Memory, those who listen and the
   * other instances follow before it resolves. Throws `cannot_store`, and what `work` throws.
   */
  async run<R>(what: string, work: (writing: Writing) => Promise<R>): Promise<R> {
    const { result, changed } = await this.#stored(what, work);
    for (const part of changed) part.follow();
    for (const { name } of changed) this.database.listeners.announce(name);
    return result;
  }

  async #stored<R>(what: string, work: (writing: Writing) => Promise<R>) {
    try {
      return await this.database.write(what, async (transaction) => {
        const writing = new Writing(transaction);
        const result = await work(writing);
        const changed = writing.parts.filter(({ isDirty }) => isDirty);
        const told = changed.length > 0 ? [this.changes.tell(transaction, changed)] : [];
        // One way there and back; the connection takes one after the other.
        await Promise.all([...changed.map((part) => part.finish()), ...told]);
        return { result, changed };
      });
    } catch (error) {
      // Nobody knows whether it was stored when the connection is lost at its end.
      if (isRefusal(error, "cannot_store")) this.changes.missed();
      throw error;
    }
  }
}
