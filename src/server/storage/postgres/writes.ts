/**
 * All writes. Changes that arrive during a database transaction share the next one, one after another. If one fails,
 * all are repeated, each in its own savepoint. Memory follows once all are stored.
 */
import { isRefusal } from "../../shared/errors.ts";
import { CommitQueue, type Outcome, returning, throwing } from "../commitQueue.ts";
import type { Changes } from "./changes.ts";
import { type Database, isFault, type TransactionOfSql } from "./database.ts";

/** An entity within a database transaction. */
export interface Part {
  readonly name: string;
  /** Whether it has changes to store. */
  readonly isDirty: boolean;
  /** Returns a function that restores its current state. */
  remember(): () => void;
  /** Sends statements waiting for others. */
  flush(): void;
  /** Runs the statements left for the end. */
  finish(): Promise<unknown>;
  /** Called once all is stored: updates memory. */
  follow(): void;
}

interface Stored {
  readonly outcomes: readonly Outcome[];
  readonly changed: readonly Part[];
}

interface Change {
  /** For the log. */
  readonly name: string;
  readonly work: (writing: Writing) => Promise<unknown>;
}

/** The limit of changes per transaction. */
const AT_ONCE = 200;

export class Writes {
  readonly #queue = new CommitQueue<Change>(AT_ONCE, (changes) => this.#commit(changes));

  constructor(
    readonly database: Database,
    readonly changes: Changes,
  ) {}

  /**
   * Stores all changes of `work`, or none; it may run more than once. Memory, listeners and other instances are updated
   * before it resolves. Throws `cannot_store`, and what `work` throws.
   */
  run<R>(name: string, work: (writing: Writing) => Promise<R>): Promise<R> {
    return this.#queue.run({ name, work });
  }

  /** Takes no more changes; resolves once those taken are settled. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #commit(changes: readonly Change[]): Promise<readonly Outcome[]> {
    const { outcomes, changed } = await this.#stored(changes);
    for (const part of changed) part.follow();
    for (const { name } of changed) this.database.listeners.announce(name);
    return outcomes;
  }

  /** `isCareful`: a failing change doesn't affect the others. */
  async #stored(changes: readonly Change[], isCareful = false): Promise<Stored> {
    const names = [...new Set(changes.map(({ name }) => name))].join(", ");
    try {
      return await this.database.write(names, (transaction) => {
        const writing = new Writing(transaction, isCareful);
        return writing.all(() => this.#made(writing, changes));
      });
    } catch (error) {
      // If the connection is lost at the end, nobody knows whether it was stored.
      if (isRefusal(error, "cannot_store")) this.changes.missed();
      else if (!isCareful) return this.#stored(changes, true);
      throw error;
    }
  }

  async #made(writing: Writing, changes: readonly Change[]): Promise<Stored> {
    // Serializes instances, which could otherwise deadlock on rows.
    writing.lock(this.database.lockNumber("transaction"));
    const outcomes: Outcome[] = [];
    for (const { work } of changes) outcomes.push(await writing.outcomeOf(work)); // oxlint-disable-line no-await-in-loop -- in their order
    writing.flush();
    const changed = writing.parts.filter(({ isDirty }) => isDirty);
    const notices = changed.length > 0 ? [this.changes.announce(writing.transaction, changed)] : [];
    await Promise.all([...changed.map((part) => part.finish()), ...notices]);
    return { outcomes, changed };
  }
}

/** A database transaction and its participants. */
export class Writing {
  readonly #parts = new Map<object, Part>();
  /** Not awaited individually: the connection runs one statement after another. */
  readonly #sent: Promise<unknown>[] = [];
  /** By the current change. */
  #hasWritten = false;

  constructor(
    readonly transaction: TransactionOfSql,
    readonly isCareful: boolean,
  ) {}

  get parts(): Part[] {
    return [...this.#parts.values()];
  }

  /** An entity's part in the transaction. */
  partOf<P extends Part>(entity: object, made: () => P): P {
    // Safe: an entity has parts of one kind.
    const part = (this.#parts.get(entity) as P | undefined) ?? made();
    this.#parts.set(entity, part);
    return part;
  }

  /** A query of the current change. */
  query(statement: string, values: readonly unknown[] = []): Promise<any[]> {
    this.flush();
    return this.execute(statement, values);
  }

  /** Call before the current change stores something. */
  noteWrite(): void {
    if (this.isCareful && !this.#hasWritten) this.send(this.execute("savepoint change"));
    this.#hasWritten = true;
  }

  /** Takes a lock that others wait for; released at the end. */
  lock(number: bigint): void {
    this.send(this.execute("select pg_advisory_xact_lock($1::bigint)", [number]));
  }

  flush(): void {
    for (const part of this.#parts.values()) part.flush();
  }

  execute(statement: string, values: readonly unknown[] = []): Promise<any[]> {
    return this.transaction.unsafe(statement, [...values]).execute();
  }

  /** Awaited with everything else. */
  send(sent: Promise<unknown>): void {
    sent.catch(() => {});
    this.#sent.push(sent);
  }

  /** A failure leaves nothing behind. Throws if it has written and would take others in the transaction with it. */
  async outcomeOf(work: Change["work"]): Promise<Outcome> {
    const back = this.#remember();
    let outcome: Outcome;
    try {
      outcome = returning(await work(this));
    } catch (error) {
      if (isFault(error) || (this.#hasWritten && !this.isCareful)) throw error;
      if (this.#hasWritten) this.send(this.execute("rollback to savepoint change"));
      back();
      outcome = throwing(error);
    }
    if (this.#hasWritten && this.isCareful) this.send(this.execute("release savepoint change"));
    this.#hasWritten = false;
    return outcome;
  }

  /** Returns a function that restores all parts' current state. */
  #remember(): () => void {
    const before = new Map([...this.#parts].map(([entity, part]) => [entity, part.remember()]));
    return () => {
      for (const entity of this.#parts.keys()) {
        const takeBack = before.get(entity);
        if (takeBack) takeBack();
        else this.#parts.delete(entity);
      }
    };
  }

  /** Resolves once all sent statements are done. Throws the first error, which causes the others. */
  async all<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } finally {
      await Promise.all(this.#sent);
    }
  }
}
