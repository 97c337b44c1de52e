/**
 * The queue of all changes. Changes that arrive during a database transaction share the next transaction. If a change
 * fails, all changes of its transaction are repeated in separate transactions.
 */
import type { TransactionSQL } from "bun";
import { cannotStore, isRefusal } from "../../shared/errors.ts";
import {
  CommitQueue,
  type CommitOutcome,
  createResultOutcome,
  createErrorOutcome,
} from "../commitQueue.ts";
import type { InstanceChannel } from "./instanceChannel.ts";
import type { Database } from "./database.ts";

/** A document or list within a database transaction. */
export interface StagedEntity {
  readonly name: string;
  readonly isDirty: boolean;
  /** Sends the statements that were collected, such as inserts. */
  flush?(): void;
  /** Runs the statements that must be the last of the transaction. */
  beforeCommit?(): Promise<unknown>;
  /** Updates memory. Called once the transaction is stored. */
  afterCommit?(): void;
}

interface QueuedChange {
  /** The name of the entity, for the log. */
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
    readonly channel: InstanceChannel,
  ) {}

  /**
   * Stores either all changes of `work` or none. `work` may run more than once. Throws `cannot_store`, and what `work`
   * throws.
   */
  run<R>(name: string, work: (commit: StagedCommit) => Promise<R>): Promise<R> {
    return this.#queue.run({ name, work });
  }

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
    let isUnreachable = false;
    for (const change of changes)
      try {
        if (isUnreachable) throw cannotStore();
        outcomes.push(...(await this.#store([change])));
      } catch (error) {
        isUnreachable ||= isRefusal(error, "cannot_store");
        outcomes.push(createErrorOutcome(error));
      }
    return outcomes;
  }

  async #store(changes: readonly QueuedChange[]): Promise<readonly CommitOutcome[]> {
    const names = [...new Set(changes.map(({ name }) => name))].join(", ");
    try {
      const { outcomes, changedEntities } = await this.database.write(names, (transaction) => {
        const commit = new StagedCommit(transaction);
        return commit.runUntilSettled(() => this.#stage(commit, changes));
      });
      for (const entity of changedEntities) entity.afterCommit?.();
      for (const { name } of changedEntities) this.database.listeners.notifyAll(name);
      return outcomes;
    } catch (error) {
      // Memory may be outdated, since after a lost connection it is unknown whether the transaction was stored.
      if (isRefusal(error, "cannot_store")) this.channel.reloadAll();
      throw error;
    }
  }

  async #stage(commit: StagedCommit, changes: readonly QueuedChange[]) {
    // This lock makes the transactions of all instances run one at a time. They could otherwise deadlock on rows.
    commit.trackStatement(
      commit.execute("select pg_advisory_xact_lock($1::bigint)", [
        this.database.computeLockKey("transaction"),
      ]),
    );
    const outcomes: CommitOutcome[] = [];
    for (const { work } of changes) outcomes.push(createResultOutcome(await work(commit)));
    commit.flush();
    const changedEntities = commit.entities.filter(({ isDirty }) => isDirty);
    if (changedEntities.length > 0)
      await Promise.all([
        ...changedEntities.map((entity) => entity.beforeCommit?.()),
        this.channel.addChangeNotice(commit.transaction, changedEntities),
      ]);
    return { outcomes, changedEntities };
  }
}

/** A database transaction with its staged changes. */
export class StagedCommit {
  readonly #entities = new Map<object, StagedEntity>();
  /** The statements that `runUntilSettled` awaits at the end. Until then, the connection runs them in order. */
  readonly #trackedStatements: Promise<unknown>[] = [];

  constructor(readonly transaction: TransactionSQL) {}

  get entities(): StagedEntity[] {
    return [...this.#entities.values()];
  }

  /** Returns the state of a document or list in this transaction. The first call creates the state with `stage`. */
  getStagedState<S extends StagedEntity>(stageable: object, stage: () => S): S {
    // The cast is safe, since a document or list always stages the same type.
    const state = (this.#entities.get(stageable) as S | undefined) ?? stage();
    this.#entities.set(stageable, state);
    return state;
  }

  /** Runs a statement, after sending the collected statements. */
  query(statement: string, values: readonly unknown[]): Promise<any[]> {
    this.flush();
    return this.execute(statement, values);
  }

  flush(): void {
    for (const entity of this.#entities.values()) entity.flush?.();
  }

  execute(statement: string, values: readonly unknown[]): Promise<any[]> {
    return this.transaction.unsafe(statement, [...values]).execute();
  }

  trackStatement(statement: Promise<unknown>): void {
    statement.catch(() => {});
    this.#trackedStatements.push(statement);
  }

  /** Waits for all tracked statements. Throws the error of the first that failed, since it caused all others. */
  async runUntilSettled<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } finally {
      await Promise.all(this.#trackedStatements);
    }
  }
}
