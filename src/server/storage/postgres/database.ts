/** The connections to PostgreSQL: transactions, timeouts, and errors as messages. */
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

/** The maximum time and the interval of queries about whether a commit was stored. */
const OUTCOME_TIMEOUT_MS = 10_000;
const OUTCOME_POLL_MS = 200;

/** What can run a statement: a client, a transaction, or a reserved connection. */
export type Queries = Pick<SQL, "unsafe">;

/** Runs statements on a site's tables, on any connection or within a transaction (`Database.toSiteQueries`). */
export interface SiteQueries extends Queries {
  readonly address: DatabaseAddress;
  /** The name of one of the site's tables in SQL. */
  getTableName(name: string): string;
  /** The number of an advisory lock of this site. */
  computeLockKey(name: string): bigint;
}

/** The maximum number of connections of an instance. The client opens all of them at its first use. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_S = 5;
const OPERATION_TIMEOUT_MS = 15_000;
/** Shorter than the ten seconds after which Bun closes a request's connection (`LISTEN_OPTIONS`). */
export const READ_TIMEOUT_MS = 8000;

/** Returns the client's options. First removes variables such as PGUSER, which the client would use too. */
function createClientOptions({ url }: DatabaseAddress) {
  for (const name of Object.keys(process.env)) if (name.startsWith("PG")) delete process.env[name];
  return { url, ...(!new URL(url).searchParams.has("sslmode") && { tls: false }) };
}

/** Opens a database for one operation with one connection, since the client opens all connections at once. */
export const openSingleConnection = (address: DatabaseAddress): Database =>
  new Database(address, undefined, 1);

export class Database implements SiteQueries {
  #sql: SQL;
  /** The marks of transactions whose outcome is known, which the next transaction deletes. */
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
    // `Bun.SQL` is loaded at its first use, so a site in a folder starts sooner.
    return new Bun.SQL({
      ...createClientOptions(this.address),
      max: this.maxConnections,
      connectionTimeout: CONNECT_TIMEOUT_S,
      connection: {
        application_name: `limelight ${process.pid}`,
        // A dead machine's locks are released after 25 seconds.
        tcp_keepalives_idle: 10,
        tcp_keepalives_interval: 5,
        tcp_keepalives_count: 3,
        statement_timeout: OPERATION_TIMEOUT_MS,
        lock_timeout: OPERATION_TIMEOUT_MS / 2,
        idle_in_transaction_session_timeout: OPERATION_TIMEOUT_MS * 4,
        // Compilation would take a tenth of the time of counting a long list.
        jit: "off",
      },
    });
  }

  /**
   * Runs `work`. If it takes too long, throws and replaces all connections: the database would have cancelled a long
   * statement earlier, so a connection must have died without the client noticing.
   */
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
    // Operations on connections that still work may finish.
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

  /** Runs `work` in a transaction, again after a deadlock. Throws `cannot_store`, and what `work` throws. */
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

  /**
   * Runs `work` in a transaction with a mark, which shows whether the commit was stored if its response is lost. A
   * transaction that exceeds its timeout is refused, and must not be stored afterwards.
   */
  async #runTransaction<R>(work: (transaction: TransactionSQL) => Promise<R>): Promise<R> {
    let isRefused = false;
    /** Present once the commit may have been sent. */
    let sentCommit: { readonly result: R } | undefined;
    const commitId = randomUUID();
    const settledMarks = this.#settledMarks.splice(0);
    const begin = (sql: SQL) =>
      sql.begin(async (transaction) => {
        const markStatement = transaction.unsafe(
          `with settled as (delete from ${this.getTableName("marks")} where id = any(string_to_array($2, ' ')))
            insert into ${this.getTableName("marks")} (id, is_stored) values ($1, true)`,
          [commitId, settledMarks.join(" ")],
        );
        markStatement.execute().catch(() => {});
        const result = await work(transaction);
        await markStatement;
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
   * Whether the transaction with this mark is stored. The insert waits while the transaction is running. If the
   * transaction isn't stored, the insert takes its mark, so that it can't be stored later either. Throws `cannot_store`
   * if the database doesn't respond in time.
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

  /** Runs a query. `shouldForceCustomPlan`: for when a generic plan would be slow. Throws `cannot_store`. */
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

  /** Waits up to five seconds for running operations. */
  async close(): Promise<void> {
    await this.sql.close({ timeout: 5 }).catch(() => undefined);
  }
}

/** Rejects after `ms`. The client itself would wait forever for a connection that died without notice. */
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

/** A failure's reason for the log: the database's message or the error's code, without the data that was sent. */
export function getDatabaseReason(error: unknown): string {
  const state = getSqlState(error);
  if (/^[0-9A-Z]{5}$/.test(state)) return `${getErrorMessage(error).split("\n")[0]} (${state})`;
  return error instanceof TimeoutError ? error.message : describeError(error);
}

/** Converts an error to a refusal that explains why the database can't be used, and what to do. */
export function toDatabaseRefusal({ location }: DatabaseAddress, error: unknown): Error {
  if (isRefusal(error, "cannot_store") || isRefusal(error, "cannot_open")) return error;
  return cannotOpen(explainConnectionFailure(location, error), error);
}

function explainConnectionFailure(location: string, error: unknown): string {
  const state = getSqlState(error);
  if (state.startsWith("28"))
    return `The database ${location} rejected the user, the password or the certificate in DATABASE_URL. Correct them, then start again.`;
  if (state === "3D000")
    return `There is no database ${location}. Create it with createdb -O and the user in DATABASE_URL, or correct DATABASE_URL, then start again.`;
  if (state === "42501")
    return `The user in DATABASE_URL isn't allowed to create tables in ${location}. Grant it the CREATE privilege, then start again.`;
  return `The database ${location} can't be used (${getDatabaseReason(error)}). Check DATABASE_URL and that PostgreSQL is running, then start again.`;
}
