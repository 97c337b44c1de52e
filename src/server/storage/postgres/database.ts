/** The connection to PostgreSQL: where it is, its transactions and their time, and its faults in words. */
import { SQL, type TransactionSQL } from "bun";
import type { DatabaseAddress } from "../../shared/databaseUrl.ts";
import { cannotOpen, cannotStore, isRefusal } from "../../shared/errors.ts";
import { standing } from "../standstill.ts";

/** A client, a transaction, or one connection of its own. */
export type Queries = Pick<SQL, "unsafe">;
export type Transaction = TransactionSQL;

/** Of one process. The others are used by lists and saves at the same moment. */
const MOST_CONNECTIONS = 10;
const CONNECT_WITHIN_S = 5;
/** How long the database may take for one piece of work, in milliseconds. */
const ANSWER_WITHIN = 15_000;
/** How often it is asked whether another is done with a table, in milliseconds. */
const ASKS_EVERY = 250;

export class Database {
  readonly sql: SQL;
  /** The site is being moved: every write is refused. */
  isStanding = false;
  readonly #listeners = new Set<(name: string) => void>();

  constructor(
    readonly address: DatabaseAddress,
    readonly log: (line: string) => void = () => {},
  ) {
    this.sql = new SQL({
      url: address.url,
      max: MOST_CONNECTIONS,
      connectionTimeout: CONNECT_WITHIN_S,
      connection: {
        application_name: `limelight ${process.pid}`,
        // A machine that is gone gives its locks free after 25 seconds.
        tcp_keepalives_idle: 10,
        tcp_keepalives_interval: 5,
        tcp_keepalives_count: 3,
        statement_timeout: ANSWER_WITHIN,
        lock_timeout: ANSWER_WITHIN / 2,
        idle_in_transaction_session_timeout: ANSWER_WITHIN * 4,
        // Of a statement that counts a long list it would be a tenth.
        jit: "off",
      },
    });
  }

  /** The name of a table, as a statement writes it. */
  table(name: string): string {
    return `"${this.address.schema}"."${name}"`;
  }

  /** A number of its own for each lock of this site. */
  lockNumber(name: string): bigint {
    return BigInt.asIntN(64, Bun.hash.wyhash(`limelight ${this.address.schema} ${name}`));
  }

  /**
   * One transaction; `work` may run again after a deadlock. Throws `cannot_store`, and what `work`
   * throws on purpose.
   */
  async write<R>(what: string, work: (transaction: Transaction) => Promise<R>): Promise<R> {
    return this.#tried(what, () => this.sql.begin(work) as Promise<R>);
  }

  /** One statement that is a transaction of its own, and so takes one way there and back. Throws `cannot_store`. */
  async writeAtOnce(what: string, statement: string, values: readonly unknown[]): Promise<any[]> {
    return this.#tried(what, async () => this.sql.unsafe(statement, [...values]));
  }

  async #tried<R>(what: string, work: () => Promise<R>): Promise<R> {
    if (this.isStanding) throw standing();
    const done = await this.#done(what, work);
    // What was under way when a move began may have come too late for it, and is not acknowledged.
    if (this.isStanding) throw standing();
    return done;
  }

  async #done<R>(what: string, work: () => Promise<R>): Promise<R> {
    for (let tries = 1; ; tries++) {
      try {
        return await withinTime(work());
      } catch (error) {
        if (isOnPurpose(error)) throw error;
        if (AGAIN.has(stateOf(error)) && tries < 3) continue;
        this.log(`storage: writing ${what} failed (${reasonOf(error)})`);
        throw cannotStore(undefined, error);
      }
    }
  }

  /** Throws `cannot_store`. */
  read(statement: string, values: readonly unknown[] = []): Promise<any[]> {
    return this.#readWith(() => this.sql.unsafe(statement, [...values]));
  }

  /**
   * As `read`, planned for these values: the plan that a statement keeps for all of them is many times
   * slower for some.
   */
  readPlanned(statement: string, values: readonly unknown[]): Promise<any[]> {
    return this.#readWith(() =>
      this.sql.begin(async (transaction) => {
        await transaction.unsafe("set local plan_cache_mode = force_custom_plan");
        return transaction.unsafe(statement, [...values]);
      }),
    );
  }

  async #readWith(work: () => PromiseLike<any[]>): Promise<any[]> {
    try {
      return await withinTime(Promise.resolve(work()));
    } catch (error) {
      this.log(`storage: reading failed (${reasonOf(error)})`);
      throw cannotStore("The stored records couldn't be read. Try again in a few minutes.", error);
    }
  }

  /**
   * Takes what was deleted out of a table and its indexes, which hold names too. Of a long list that takes
   * longer than any other work may: `within` 0 is no limit.
   */
  async vacuum(table: string, within = 0): Promise<void> {
    try {
      const connection = await this.sql.reserve();
      try {
        await connection.unsafe(`set statement_timeout = ${within}`);
        await connection.unsafe("set lock_timeout = 0");
        const work = () => connection.unsafe(`vacuum (analyze, index_cleanup on) ${table}`);
        await this.oneAtTable(connection, table, work, within || Number.POSITIVE_INFINITY);
      } finally {
        await connection.unsafe("reset statement_timeout").catch(() => undefined);
        await connection.unsafe("reset lock_timeout").catch(() => undefined);
        await connection.release();
      }
    } catch (error) {
      this.log(
        `storage: what was deleted couldn't be vacuumed out of a table (${reasonOf(error)}); the database does it by itself later`,
      );
    }
  }

  /**
   * A vacuum, or the making of an index beside others: each would wait for the other. Asks again and again
   * instead of waiting in the database, where whoever waits is waited for. Throws when `within` is over.
   */
  async oneAtTable(
    connection: Queries,
    table: string,
    work: () => PromiseLike<unknown>,
    within: number,
  ): Promise<void> {
    const end = performance.now() + within;
    const number = this.lockNumber(`whole ${table}`);
    const taken = async () => {
      const [row] = await connection.unsafe("select pg_try_advisory_lock($1::bigint) as done", [
        number,
      ]);
      return (row as { done: boolean }).done;
    };
    // oxlint-disable-next-line no-await-in-loop -- until the other is done
    while (!(await taken())) {
      if (performance.now() > end) throw new Error("another is at it");
      await Bun.sleep(ASKS_EVERY); // oxlint-disable-line no-await-in-loop
    }
    try {
      await work();
    } finally {
      await connection.unsafe("select pg_advisory_unlock($1::bigint)", [number]);
    }
  }

  onChange(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells the listeners. One that throws neither undoes the write nor keeps it from the others. */
  announce(name: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(name);
      } catch (error) {
        this.log(`storage: a listener failed after a write of ${name} (${reasonOf(error)})`);
      }
    }
  }

  /** Waits for what is under way, though not for a database that is away. */
  async close(): Promise<void> {
    await this.sql.close({ timeout: 5 }).catch(() => undefined);
  }
}

/** Throws when the database takes too long, also where its connection is dead without a word. */
export async function withinTime<R>(work: Promise<R>): Promise<R> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), ANSWER_WITHIN + 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const isOnPurpose = (error: unknown) =>
  isRefusal(error, "cannot_store") || isRefusal(error, "cannot_open");

/** A deadlock, or a change that another made at the same moment. */
const AGAIN = new Set(["40P01", "40001"]);

/** Of the SQL standard; "" for what the database did not say. */
export const stateOf = (error: unknown): string =>
  String((error as { errno?: unknown } | undefined)?.errno ?? "");

/** For the log: what the database said, or the error's code. Never what was sent. */
export function reasonOf(error: unknown): string {
  const state = stateOf(error);
  if (/^[0-9A-Z]{5}$/.test(state)) return `${(error as Error).message.split("\n")[0]} (${state})`;
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? "unknown";
}

/** Why the database can't be used, and what to do. */
export function whyNot({ place }: DatabaseAddress, error: unknown): Error {
  if (isOnPurpose(error) || isRefusal(error, "cannot_open")) return error as Error;
  const state = stateOf(error);
  if (state.startsWith("28"))
    return cannotOpen(
      `The database ${place} refuses the user, the password or the certificate in DATABASE_URL. Correct them, then start again.`,
      error,
    );
  if (state === "3D000")
    return cannotOpen(
      `There is no database ${place}. Make it with createdb, or correct DATABASE_URL, then start again.`,
      error,
    );
  if (state === "42501")
    return cannotOpen(
      `The user in DATABASE_URL may not make tables in ${place}. Give it the right to create there, then start again.`,
      error,
    );
  return cannotOpen(
    `The database ${place} can't be used (${reasonOf(error)}). Check DATABASE_URL and that PostgreSQL is running, then start again.`,
    error,
  );
}
