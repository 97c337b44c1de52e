/** Connects to PostgreSQL: runs transactions, sets timeouts, and explains errors. */
import { randomUUID } from "node:crypto";
import { ChangeListeners } from "../commitQueue.ts";
import type { SQL, TransactionSQL } from "bun";
import type { DatabaseAddress } from "../../shared/databaseUrl.ts";
import {
  cannotOpen,
  cannotStore,
  isRefusal,
  uncertainWrite,
  describeError,
} from "../../shared/errors.ts";
import { getErrorMessage } from "../../shared/errorDetails.ts";
import { withTimeout as rejectAfter } from "../../shared/concurrency.ts";

/** The maximum time for finding out whether a commit was stored. */
const OUTCOME_TIMEOUT_MS = 10_000;
const OUTCOME_POLL_MS = 200;

/** An object that can run a statement: a client, a transaction, or a reserved connection. */
export type Queries = Pick<SQL, "unsafe">;

/** Runs statements on a site's tables, on any connection or within a transaction (`Database.toSiteQueries`). */
export interface SiteQueries extends Queries {
  readonly address: DatabaseAddress;
  /** Returns the quoted name of one of the site's tables, with its schema. */
  getTableName(name: string): string;
  /** Returns the number of one of this site's advisory locks. */
  computeLockKey(name: string): bigint;
}

/** The maximum number of connections of an instance. The client opens all of them at its first use. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_S = 5;
const OPERATION_TIMEOUT_MS = 15_000;
/** Bun closes a request's connection after ten seconds (`LISTEN_OPTIONS`), so a read must fail sooner. */
export const READ_TIMEOUT_MS = 8000;

/** Removes environment variables such as PGUSER, because the client would use them in addition to DATABASE_URL. */
function createClientOptions({ url }: DatabaseAddress) {
  for (const name of Object.keys(process.env)) if (name.startsWith("PG")) delete process.env[name];
  return { url, ...(!new URL(url).searchParams.has("sslmode") && { tls: false }) };
}

/** Opens a database with one connection, for one operation. By default, the client opens `MAX_CONNECTIONS` at once. */
export const openSingleConnection = (address: DatabaseAddress): Database =>
  new Database(address, undefined, 1);

export class Database implements SiteQueries {
  #sql: SQL;
  /** The marks of transactions whose outcome is known. The next transaction deletes these marks. */
  #settledMarks: string[] = [];
  readonly listeners: ChangeListeners;
  /** Called after all connections were replaced. */
  onConnectionsReplaced: () => void = () => {};

  constructor(
    readonly address: DatabaseAddress,
    readonly log: (line: string) => void = () => {},
    private readonly maxConnections = MAX_CONNECTIONS,
  ) {
    this.listeners = new ChangeListeners(log);
    this.#sql = this.#createClient();
  }

  get sql(): SQL {
    return this.#sql;
  }

  #createClient(): SQL {
    // Bun loads `Bun.SQL` at its first use, so a site in a data folder starts sooner.
    return new Bun.SQL({
      ...createClientOptions(this.address),
      max: this.maxConnections,
      connectionTimeout: CONNECT_TIMEOUT_S,
      connection: {
        application_name: `limelight ${process.pid}`,
        // The database closes a dead machine's connections, and releases their locks, after 25 seconds.
        tcp_keepalives_idle: 10,
        tcp_keepalives_interval: 5,
        tcp_keepalives_count: 3,
        statement_timeout: OPERATION_TIMEOUT_MS,
        lock_timeout: OPERATION_TIMEOUT_MS / 2,
        idle_in_transaction_session_timeout: OPERATION_TIMEOUT_MS * 4,
        // JIT compilation would take a tenth of the time of counting a long list.
        jit: "off",
      },
    });
  }

  /** Runs `work`. If it takes too long, a connection has probably died unnoticed, so all connections are replaced. */
  async withOperationTimeout<R>(work: (sql: SQL) => PromiseLike<R>): Promise<R> {
    const sql = this.#sql;
    try {
      return await withDeadline(work(sql));
    } catch (error) {
      if (error instanceof TimeoutError && sql === this.#sql) this.#replaceConnections();
      throw error;
    }
  }

  #replaceConnections(): void {
    const oldClient = this.#sql;
    this.#sql = this.#createClient();
    this.log("storage: the database didn't respond in time; connecting again");
    this.onConnectionsReplaced();
    // The old connections may still work, so their operations get time to finish.
    void oldClient.close({ timeout: OPERATION_TIMEOUT_MS / 1000 }).catch(() => undefined);
  }

  readonly unsafe: SQL["unsafe"] = (...args) => this.#sql.unsafe(...args);

  toSiteQueries(queries: Queries): SiteQueries {
    const { address } = this;
    return {
      address,
      getTableName: (name) => this.getTableName(name),
      computeLockKey: (name) => this.computeLockKey(name),
      unsafe: (...args) => queries.unsafe(...args),
    };
  }

  getTableName(name: string): string {
    return `"${this.address.schema}"."${name}"`;
  }

  computeLockKey(name: string): bigint {
    return BigInt.asIntN(64, Bun.hash.wyhash(`limelight ${this.address.schema} ${name}`));
  }

  /** Runs `work` in a transaction, and repeats it after a deadlock. Throws `cannot_store`, and what `work` throws. */
  async write<R>(target: string, work: (transaction: TransactionSQL) => Promise<R>): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#runTransaction(work);
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        if (RETRYABLE_SQL_STATES.has(getSqlState(error)) && attempt < MAX_ATTEMPTS) continue;
        this.log(`storage: writing ${target} failed (${getDatabaseReason(error)})`);
        throw cannotStore(undefined, error);
      }
    }
  }

  /** Runs `work` in a transaction with a mark, which shows whether a commit was stored if the response is lost. */
  async #runTransaction<R>(work: (transaction: TransactionSQL) => Promise<R>): Promise<R> {
    let isRefused = false;
    /** The result of `work`, set once the commit may have been sent. */
    let sentCommit: { readonly result: R } | undefined;
    const commitId = randomUUID();
    const settledMarks = this.#settledMarks.splice(0);
    const begin = (sql: SQL) =>
      sql.begin(async (transaction) => {
        const markInsertion = transaction.unsafe(
          `with settled as (delete from ${this.getTableName("marks")} where id = any(string_to_array($2, ' ')))
            insert into ${this.getTableName("marks")} (id, is_stored) values ($1, true)`,
          [commitId, settledMarks.join(" ")],
        );
        markInsertion.execute().catch(() => {});
        const result = await work(transaction);
        await markInsertion;
        if (isRefused) throw new TimeoutError("no response in time");
        sentCommit = { result };
        return result;
      });
    try {
      const result = (await this.withOperationTimeout(begin)) as R;
      this.#settledMarks.push(commitId);
      return result;
    } catch (error) {
      isRefused = true;
      this.#settledMarks.push(...settledMarks);
      if (!sentCommit || !isDatabaseError(error) || RETRYABLE_SQL_STATES.has(getSqlState(error)))
        throw error;
      if (!(await this.#isCommitted(commitId, error))) throw error;
      return sentCommit.result;
    }
  }

  /**
   * Whether the transaction with this mark was stored. The insert of the same mark waits while the transaction is
   * running. If the insert succeeds, the transaction can't be stored later. Throws `cannot_store`.
   */
  async #isCommitted(commitId: string, cause: unknown): Promise<boolean> {
    const marksTable = this.getTableName("marks");
    const readOutcome = async (sql: SQL): Promise<{ is_stored: boolean }[]> => {
      await sql.unsafe(
        `insert into ${marksTable} (id, is_stored) values ($1, false) on conflict do nothing`,
        [commitId],
      );
      return sql.unsafe(`select is_stored from ${marksTable} where id = $1`, [commitId]);
    };
    const deadline = performance.now() + OUTCOME_TIMEOUT_MS;
    while (performance.now() < deadline) {
      const [outcome] = await this.withOperationTimeout(readOutcome).catch(() => []);
      if (outcome) {
        this.#settledMarks.push(commitId);
        return outcome.is_stored;
      }
      await Bun.sleep(OUTCOME_POLL_MS);
    }
    throw uncertainWrite(cause);
  }

  /** Runs a query. `shouldForceCustomPlan`: it is planned for these parameters, which makes searches faster. */
  async read(
    statement: string,
    parameters: readonly unknown[],
    shouldForceCustomPlan = false,
  ): Promise<any[]> {
    try {
      if (!shouldForceCustomPlan)
        return await withDeadline(this.sql.unsafe(statement, [...parameters]), READ_TIMEOUT_MS);
      const work = this.sql.begin(async (transaction) => {
        await transaction.unsafe("set local plan_cache_mode = force_custom_plan");
        return transaction.unsafe(statement, [...parameters]);
      });
      return await withDeadline(work, READ_TIMEOUT_MS);
    } catch (error) {
      this.log(`storage: reading failed (${getDatabaseReason(error)})`);
      throw cannotStore("The stored records couldn't be read. Try again in a few minutes.", error);
    }
  }

  /** Waits up to five seconds for running operations, then closes all connections. */
  async close(): Promise<void> {
    await this.sql.close({ timeout: 5 }).catch(() => undefined);
  }
}

/** Awaits `work` for at most `ms`. The client would wait forever if a connection has died unnoticed. */
export const withDeadline = <R>(
  work: PromiseLike<R>,
  ms = OPERATION_TIMEOUT_MS + 1000,
): Promise<R> => rejectAfter(work, ms, () => new TimeoutError("no response in time"));

class TimeoutError extends Error {}

const isDatabaseError = (error: unknown): boolean =>
  error instanceof Bun.SQL.SQLError || error instanceof TimeoutError;

/** The SQL states of a deadlock and of a conflict with a concurrent transaction. */
const RETRYABLE_SQL_STATES = new Set(["40P01", "40001"]);
const MAX_ATTEMPTS = 5;

/** Returns a database error's SQLSTATE; "" for an error without a code. */
export const getSqlState = (error: unknown): string =>
  String((error as { errno?: unknown } | undefined)?.errno ?? "");

/** Returns the reason for an error, for the log. The data that was sent isn't included. */
export function getDatabaseReason(error: unknown): string {
  const state = getSqlState(error);
  if (/^[0-9A-Z]{5}$/.test(state)) return `${getErrorMessage(error).split("\n")[0]} (${state})`;
  return error instanceof TimeoutError ? error.message : describeError(error);
}

export function toDatabaseRefusal({ location }: DatabaseAddress, error: unknown): Error {
  if (isRefusal(error, "cannot_store") || isRefusal(error, "cannot_open")) return error;
  return cannotOpen(explainConnectionFailure(location, error), error);
}

function explainConnectionFailure(location: string, error: unknown): string {
  const state = getSqlState(error);
  if (state.startsWith("28"))
    return `The database ${location} rejected the user, the password or the certificate in DATABASE_URL. Correct them, then start again.`;
  if (state === "3D000")
    return `There is no database ${location}. Create it with "createdb -O" and the names of the user and the database, or correct DATABASE_URL, then start again.`;
  if (state === "42501")
    return `The user in DATABASE_URL isn't allowed to create tables in ${location}. Grant it the CREATE privilege, then start again.`;
  return `The database ${location} can't be used (${getDatabaseReason(error)}). Check DATABASE_URL and that PostgreSQL is running, then start again.`;
}
