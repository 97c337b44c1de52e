/**
 * The one way to write. Changes that come while a transaction of the database is under way share the next one, one after
 * the other. Where one of them fails all are made again, each in a savepoint of its own. Memory follows once all is stored.
 */
import { isRefusal } from "../../shared/errors.ts";
import { CommitQueue, type Outcome, returning, throwing } from "../commitQueue.ts";
import type { Changes } from "./changes.ts";
import { type Database, isFault, type TransactionOfSql } from "./database.ts";

/** One entity in one transaction of the database. */
export interface Part {
  readonly name: string;
  /** Whether something of it is to be stored. */
  readonly isDirty: boolean;
  /** Returns what takes it back to what it is now. */
  remember(): () => void;
  /** Sends what waits for other statements. */
  flush(): void;
  /** The statements that were left for the end. */
  finish(): Promise<unknown>;
  /** Called when all is stored: memory is brought to it. */
  follow(): void;
}

interface Stored {
  readonly outcomes: readonly Outcome[];
  readonly changed: readonly Part[];
}

interface Change {
  /** Of what, for the log. */
  readonly name: string;
  readonly work: (writing: Writing) => Promise<unknown>;
}

/** How many share a transaction at most. */
const AT_ONCE = 200;

export class Writes {
  readonly #queue = new CommitQueue<Change>(AT_ONCE, (changes) => this.#commit(changes));

  constructor(
    readonly database: Database,
    readonly changes: Changes,
  ) {}

  /**
   * Stores all that `work` changes, or nothing; it may run more than once. Memory, those who listen and the
   * other instances follow before it resolves. Throws `cannot_store`, and what `work` throws.
   */
  run<R>(name: string, work: (writing: Writing) => Promise<R>): Promise<R> {
    return this.#queue.run({ name, work });
  }

  /** Takes no more changes; resolves when those taken are settled. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #commit(changes: readonly Change[]): Promise<readonly Outcome[]> {
    const { outcomes, changed } = await this.#stored(changes);
    for (const part of changed) part.follow();
    for (const { name } of changed) this.database.listeners.announce(name);
    return outcomes;
  }

  /** `isCareful`: so that one that fails keeps none of the others out. */
  async #stored(changes: readonly Change[], isCareful = false): Promise<Stored> {
    const names = [...new Set(changes.map(({ name }) => name))].join(", ");
    try {
      return await this.database.write(names, (transaction) => {
        const writing = new Writing(transaction, isCareful);
        return writing.all(() => this.#made(writing, changes));
      });
    } catch (error) {
      // Nobody knows whether it was stored when the connection is lost at its end.
      if (isRefusal(error, "cannot_store")) this.changes.missed();
      else if (!isCareful) return this.#stored(changes, true);
      throw error;
    }
  }

  async #made(writing: Writing, changes: readonly Change[]): Promise<Stored> {
    // Instances come one after the other, or two of them could wait for each other's rows.
    writing.lock(this.database.lockNumber("transaction"));
    const outcomes: Outcome[] = [];
    for (const { work } of changes) outcomes.push(await writing.outcomeOf(work)); // oxlint-disable-line no-await-in-loop -- in their order
    writing.flush();
    const changed = writing.parts.filter(({ isDirty }) => isDirty);
    const told = changed.length > 0 ? [this.changes.tell(writing.transaction, changed)] : [];
    await Promise.all([...changed.map((part) => part.finish()), ...told]);
    return { outcomes, changed };
  }
}

/** One transaction of the database, and who takes part in it. */
export class Writing {
  readonly #parts = new Map<object, Part>();
  /** What nobody waits for: the connection takes one statement after the other. */
  readonly #sent: Promise<unknown>[] = [];
  /** The change under way has. */
  #hasWritten = false;

  constructor(
    readonly transaction: TransactionOfSql,
    readonly isCareful: boolean,
  ) {}

  get parts(): Part[] {
    return [...this.#parts.values()];
  }

  /** What an entity is changed through. */
  partOf<P extends Part>(entity: object, made: () => P): P {
    // Safe: an entity has parts of one kind.
    const part = (this.#parts.get(entity) as P | undefined) ?? made();
    this.#parts.set(entity, part);
    return part;
  }

  /** What the change under way asks. */
  query(statement: string, values: readonly unknown[] = []): Promise<any[]> {
    this.flush();
    return this.execute(statement, values);
  }

  /** To be called before the change under way stores something. */
  noteWrite(): void {
    if (this.isCareful && !this.#hasWritten) this.send(this.execute("savepoint change"));
    this.#hasWritten = true;
  }

  /** What others who ask for the same lock wait for; given free at the end. */
  lock(number: bigint): void {
    this.send(this.execute("select pg_advisory_xact_lock($1::bigint)", [number]));
  }

  flush(): void {
    for (const part of this.#parts.values()) part.flush();
  }

  execute(statement: string, values: readonly unknown[] = []): Promise<any[]> {
    return this.transaction.unsafe(statement, [...values]).execute();
  }

  /** Is awaited with everything else. */
  send(sent: Promise<unknown>): void {
    sent.catch(() => {});
    this.#sent.push(sent);
  }

  /** What fails leaves nothing behind. Throws where it has written and those who share the transaction would lose theirs. */
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

  /** Returns what takes every part back to what it is now. */
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

  /** Resolves when all that was sent has come about. Throws the first fault, from which others follow. */
  async all<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } finally {
      await Promise.all(this.#sent);
    }
  }
}
