/** The connection to PostgreSQL: where it is, its transactions and their time, and its faults in words. */
import { ChangeListeners } from "../changeListeners.ts";
import { SQL, type TransactionSQL } from "bun";
import type { DatabaseAddress } from "../../shared/databaseUrl.ts";
import { cannotOpen, cannotStore, isRefusal } from "../../shared/errors.ts";
import { standing } from "../standstill.ts";

/** A client, a transaction, or one connection of its own. */
export type Queries = Pick<SQL, "unsafe">;
export type TransactionOfSql = TransactionSQL;

/** Of one process. The others are used by lists and saves at the same moment. */
const MOST_CONNECTIONS = 10;
const CONNECT_WITHIN_S = 5;
/** How long the database may take for one piece of work, in milliseconds. */
const ANSWER_WITHIN = 15_000;

export class Database {
  readonly sql: SQL;
  /** The site is being moved: every write is refused. */
  isStanding = false;
  /** Who is told of what is stored. */
  readonly listeners: ChangeListeners;

  constructor(
    readonly address: DatabaseAddress,
    readonly log: (line: string) => void = () => {},
  ) {
    this.listeners = new ChangeListeners(log);
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

  /** One transaction; `work` may run again after a deadlock. Throws `cannot_store`, and what `work` throws. */
  async write<R>(what: string, work: (transaction: TransactionOfSql) => Promise<R>): Promise<R> {
    if (this.isStanding) throw standing();
    const done = await this.#done(what, work);
    // What was under way when a move began may have come too late for it, and is not acknowledged.
    if (this.isStanding) throw standing();
    return done;
  }

  async #done<R>(what: string, work: (transaction: TransactionOfSql) => Promise<R>): Promise<R> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#begun(work); // oxlint-disable-line no-await-in-loop -- once more after a deadlock
      } catch (error) {
        if (!isFault(error)) throw error;
        if (AGAIN.has(stateOf(error)) && tries < MOST_TRIES) continue;
        this.log(`storage: writing ${what} failed (${reasonOf(error)})`);
        throw cannotStore(undefined, error);
      }
    }
  }

  /** What takes too long is stored no longer: it has been refused. */
  #begun<R>(work: (transaction: TransactionOfSql) => Promise<R>): Promise<R> {
    let isRefused = false;
    const stored = this.sql.begin(async (transaction) => {
      const result = await work(transaction);
      if (isRefused) throw new TooLate("no answer in time");
      return result;
    });
    return withinTime(stored).finally(() => (isRefused = true)) as Promise<R>;
  }

  /**
   * `isPlanned`: for these values, since the plan that a statement keeps for all of them is many times slower for
   * some. Throws `cannot_store`.
   */
  async read(
    statement: string,
    values: readonly unknown[] = [],
    isPlanned = false,
  ): Promise<any[]> {
    try {
      if (!isPlanned) return await withinTime(this.sql.unsafe(statement, [...values]));
      const work = this.sql.begin(async (transaction) => {
        await transaction.unsafe("set local plan_cache_mode = force_custom_plan");
        return transaction.unsafe(statement, [...values]);
      });
      return await withinTime(work);
    } catch (error) {
      this.log(`storage: reading failed (${reasonOf(error)})`);
      throw cannotStore("The stored records couldn't be read. Try again in a few minutes.", error);
    }
  }

  /** Waits for what is under way, though not for a database that is away. */
  async close(): Promise<void> {
    await this.sql.close({ timeout: 5 }).catch(() => undefined);
  }
}

/** Throws when the database takes too long, also where its connection is dead without a word. */
export async function withinTime<R>(work: PromiseLike<R>): Promise<R> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate("no answer in time")), ANSWER_WITHIN + 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

class TooLate extends Error {}

/** Whether the database or its connection failed, and not what was asked of it. */
export const isFault = (error: unknown): boolean =>
  error instanceof SQL.SQLError || error instanceof TooLate;

/** A deadlock, or a change that another made at the same moment. */
const AGAIN = new Set(["40P01", "40001"]);
const MOST_TRIES = 5;

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
export function whyNot({ location }: DatabaseAddress, error: unknown): Error {
  if (isRefusal(error, "cannot_store") || isRefusal(error, "cannot_open")) return error as Error;
  const state = stateOf(error);
  if (state.startsWith("28"))
    return cannotOpen(
      `The database ${location} refuses the user, the password or the certificate in DATABASE_URL. Correct them, then start again.`,
      error,
    );
  if (state === "3D000")
    return cannotOpen(
      `There is no database ${location}. Make it with createdb, or correct DATABASE_URL, then start again.`,
      error,
    );
  if (state === "42501")
    return cannotOpen(
      `The user in DATABASE_URL may not make tables in ${location}. Give it the right to create there, then start again.`,
      error,
    );
  return cannotOpen(
    `The database ${location} can't be used (${reasonOf(error)}). Check DATABASE_URL and that PostgreSQL is running, then start again.`,
    error,
  );
}
