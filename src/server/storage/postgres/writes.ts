/**
 * All writes. Changes that arrive during a database transaction share the next one, one after another; if one fails,
 * each gets a transaction of its own. Memory follows once they are stored.
 */
import { cannotStore, isRefusal } from "../../shared/errors.ts";
import { CommitQueue, type CommitOutcome, returnOutcome, throwOutcome } from "../commitQueue.ts";
import type { InstanceChannel } from "./changes.ts";
import type { Database, SqlTransaction } from "./database.ts";

/** An entity in a database transaction. */
export interface StagedEntity {
  readonly name: string;
  /** Whether it has changes to store. */
  readonly isDirty: boolean;
  /** Sends statements waiting for others. */
  flush(): void;
  /** Runs the statements left for the end. */
  beforeCommit(): Promise<unknown>;
  /** Called once all is stored: updates memory. */
  afterCommit(): void;
}

interface QueuedChange {
  /** For the log. */
  readonly name: string;
  readonly work: (commit: StagedCommit) => Promise<unknown>;
}

const MAX_CHANGES_PER_TRANSACTION = 200;

export class TransactionQueue {
  readonly #queue = new CommitQueue<QueuedChange>(MAX_CHANGES_PER_TRANSACTION, (changes) =>
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

  async #commit(changes: readonly QueuedChange[]): Promise<readonly CommitOutcome[]> {
    try {
      return await this.#store(changes);
    } catch (error) {
      if (changes.length === 1 || isRefusal(error, "cannot_store")) throw error;
    }
    const outcomes: CommitOutcome[] = [];
    let isAway = false;
    for (const change of changes)
      try {
        if (isAway) throw cannotStore();
        outcomes.push(...(await this.#store([change]))); // oxlint-disable-line no-await-in-loop -- in their order
      } catch (error) {
        isAway ||= isRefusal(error, "cannot_store");
        outcomes.push(throwOutcome(error));
      }
    return outcomes;
  }

  async #store(changes: readonly QueuedChange[]): Promise<readonly CommitOutcome[]> {
    const names = [...new Set(changes.map(({ name }) => name))].join(", ");
    try {
      const { outcomes, changed } = await this.database.write(names, (transaction) => {
        const commit = new StagedCommit(transaction);
        return commit.runAll(() => this.#stage(commit, changes));
      });
      for (const entity of changed) entity.afterCommit();
      for (const { name } of changed) this.database.listeners.notifyAll(name);
      return outcomes;
    } catch (error) {
      // If the connection is lost at the end, it is unknown whether it was stored.
      if (isRefusal(error, "cannot_store")) this.changes.reloadAll();
      throw error;
    }
  }

  async #stage(commit: StagedCommit, changes: readonly QueuedChange[]) {
    // Serializes instances, which could otherwise deadlock on rows.
    commit.lock(this.database.lockNumber("transaction"));
    const outcomes: CommitOutcome[] = [];
    for (const { work } of changes) outcomes.push(returnOutcome(await work(commit))); // oxlint-disable-line no-await-in-loop -- in their order
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
  readonly #sentStatements: Promise<unknown>[] = [];

  constructor(readonly transaction: SqlTransaction) {}

  get entities(): StagedEntity[] {
    return [...this.#entities.values()];
  }

  /** An entity's state in this transaction. */
  stagedState<S extends StagedEntity>(stageable: object, stage: () => S): S {
    // Safe: a document or list has one kind of it.
    const staged = (this.#entities.get(stageable) as S | undefined) ?? stage();
    this.#entities.set(stageable, staged);
    return staged;
  }

  /** Runs a statement after those that are waiting. */
  query(statement: string, values: readonly unknown[] = []): Promise<any[]> {
    this.flush();
    return this.execute(statement, values);
  }

  /** Takes a lock that others wait for; released at the end. */
  lock(number: bigint): void {
    this.trackStatement(this.execute("select pg_advisory_xact_lock($1::bigint)", [number]));
  }

  flush(): void {
    for (const entity of this.#entities.values()) entity.flush();
  }

  execute(statement: string, values: readonly unknown[] = []): Promise<any[]> {
    return this.transaction.unsafe(statement, [...values]).execute();
  }

  /** Awaited with everything else. */
  trackStatement(sentStatements: Promise<unknown>): void {
    sentStatements.catch(() => {});
    this.#sentStatements.push(sentStatements);
  }

  /** Resolves once all sent statements are done. Throws the first error, which causes the others. */
  async runAll<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } finally {
      await Promise.all(this.#sentStatements);
    }
  }
}
