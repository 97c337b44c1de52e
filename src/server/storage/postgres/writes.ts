/**
 * All writes. Changes that arrive during a database transaction share the next one, one after another. If one fails,
 * all are repeated, each in its own savepoint. Memory follows once all are stored.
 */
import { isRefusal } from "../../shared/errors.ts";
import { CommitQueue, type Outcome, returning, throwing } from "../commitQueue.ts";
import type { InstanceChannel } from "./changes.ts";
import { type Database, isFault, type TransactionOfSql } from "./database.ts";

/** An entity in a database transaction. */
export interface StagedEntity {
  readonly name: string;
  /** Whether it has changes to store. */
  readonly isDirty: boolean;
  /** Returns a function that restores its current state. */
  savepoint(): () => void;
  /** Sends statements waiting for others. */
  flush(): void;
  /** Runs the statements left for the end. */
  beforeCommit(): Promise<unknown>;
  /** Called once all is stored: updates memory. */
  afterCommit(): void;
}

interface Stored {
  readonly outcomes: readonly Outcome[];
  readonly changed: readonly StagedEntity[];
}

interface Change {
  /** For the log. */
  readonly name: string;
  readonly work: (commit: StagedCommit) => Promise<unknown>;
}

const MAX_CHANGES_PER_TRANSACTION = 200;

export class Writes {
  readonly #queue = new CommitQueue<Change>(MAX_CHANGES_PER_TRANSACTION, (changes) =>
    this.#commit(changes),
  );

  constructor(
    readonly database: Database,
    readonly changes: InstanceChannel,
  ) {}

  /**
   * Stores all changes of `work`, or none; it may run more than once. Memory, listeners and other instances are updated
   * before it resolves. Throws `cannot_store`, and what `work` throws.
   */
  run<R>(name: string, work: (commit: StagedCommit) => Promise<R>): Promise<R> {
    return this.#queue.run({ name, work });
  }

  /** Stops accepting changes; resolves once those accepted are settled. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #commit(changes: readonly Change[]): Promise<readonly Outcome[]> {
    const { outcomes, changed } = await this.#store(changes);
    for (const entity of changed) entity.afterCommit();
    for (const { name } of changed) this.database.listeners.announce(name);
    return outcomes;
  }

  /** `isCareful`: a failing change doesn't affect the others. */
  async #store(changes: readonly Change[], isCareful = false): Promise<Stored> {
    const names = [...new Set(changes.map(({ name }) => name))].join(", ");
    try {
      return await this.database.write(names, (transaction) => {
        const commit = new StagedCommit(transaction, isCareful);
        return commit.all(() => this.#stageAll(commit, changes));
      });
    } catch (error) {
      // If the connection is lost at the end, it is unknown whether it was stored.
      if (isRefusal(error, "cannot_store")) this.changes.reloadAll();
      else if (!isCareful) return this.#store(changes, true);
      throw error;
    }
  }

  async #stageAll(commit: StagedCommit, changes: readonly Change[]): Promise<Stored> {
    // Serializes instances, which could otherwise deadlock on rows.
    commit.lock(this.database.lockNumber("transaction"));
    const outcomes: Outcome[] = [];
    for (const { work } of changes) outcomes.push(await commit.outcomeOf(work)); // oxlint-disable-line no-await-in-loop -- in their order
    commit.flush();
    const changed = commit.entities.filter(({ isDirty }) => isDirty);
    const notices = changed.length > 0 ? [this.changes.announce(commit.transaction, changed)] : [];
    await Promise.all([...changed.map((entity) => entity.beforeCommit()), ...notices]);
    return { outcomes, changed };
  }
}

/** A database transaction with its staged changes. */
export class StagedCommit {
  readonly #entities = new Map<object, StagedEntity>();
  /** Not awaited individually: the connection runs one statement after another. */
  readonly #sent: Promise<unknown>[] = [];
  /** By the current change. */
  #hasWritten = false;

  constructor(
    readonly transaction: TransactionOfSql,
    readonly isCareful: boolean,
  ) {}

  get entities(): StagedEntity[] {
    return [...this.#entities.values()];
  }

  /** An entity's state in this transaction. */
  of<S extends StagedEntity>(stageable: object, stage: () => S): S {
    // Safe: a document or list has one kind of it.
    const staged = (this.#entities.get(stageable) as S | undefined) ?? stage();
    this.#entities.set(stageable, staged);
    return staged;
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
    for (const entity of this.#entities.values()) entity.flush();
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
    const back = this.#savepoint();
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

  /** Returns a function that restores all entities' current state. */
  #savepoint(): () => void {
    const before = new Map([...this.#entities].map(([each, staged]) => [each, staged.savepoint()]));
    return () => {
      for (const each of this.#entities.keys()) {
        const restore = before.get(each);
        if (restore) restore();
        else this.#entities.delete(each);
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
