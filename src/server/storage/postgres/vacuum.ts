/** Removes erased data from the database's tables and indexes; its log and its backups retain it longer. */
import type { ReservedSQL } from "bun";
import { cannotStore } from "../../shared/errors.ts";
import { type Database, reasonOf } from "./database.ts";
import { MINUTE } from "../../shared/time.ts";

/** The delay between an erasure and freeing its space, in milliseconds. */
const VACUUM_DELAY_MS = 5000;
/** The maximum wait of a stop for that, and of a caller, in milliseconds. */
const STOP_TIMEOUT_MS = 4000;
const VACUUM_TIMEOUT_MS = MINUTE;
/** The interval of checks whether readers are done, in milliseconds. */
const POLL_INTERVAL_MS = 50;

export class Vacuum {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** `tables`: all of them, as in SQL. */
  constructor(
    readonly database: Database,
    readonly tables: readonly string[],
  ) {}

  schedule(): void {
    this.#timer ??= setTimeout(() => void this.#tried(VACUUM_TIMEOUT_MS), VACUUM_DELAY_MS).unref();
  }

  /** Resolves once nothing erased is left, by any instance. Throws `cannot_store`. */
  async run(): Promise<void> {
    try {
      await this.#all(VACUUM_TIMEOUT_MS);
    } catch (error) {
      this.database.log(`storage: deleted data is still in a table (${reasonOf(error)})`);
      throw cannotStore(OLD_VERSION_IN_USE, error);
    }
  }

  async close(): Promise<void> {
    if (this.#timer) await this.#tried(STOP_TIMEOUT_MS);
    await this.#last;
  }

  #tried(within: number): Promise<void> {
    return this.#all(within).catch((error: unknown) =>
      this.database.log(
        `storage: deleted data couldn't be vacuumed from a table (${reasonOf(error)}); the database does it later`,
      ),
    );
  }

  /** One after another: the previous one may have started too early. */
  #all(within: number): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const done = this.#last.then(() => this.#emptied(within));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #emptied(within: number): Promise<void> {
    const connection = await this.database.sql.reserve();
    try {
      await connection.unsafe(`set statement_timeout = ${within}`);
      await connection.unsafe("set lock_timeout = 0");
      await waitForReaders(connection, within);
      await connection.unsafe(`vacuum (index_cleanup on) ${this.tables.join(", ")}`);
    } finally {
      await connection.unsafe("reset statement_timeout").catch(() => undefined);
      await connection.unsafe("reset lock_timeout").catch(() => undefined);
      await connection.release();
    }
  }
}

/** Waits for all earlier transactions, such as a backup: rows that they may read stay in the tables. */
async function waitForReaders(connection: ReservedSQL, within: number): Promise<void> {
  const end = performance.now() + within;
  const [{ now }] = await connection.unsafe("select clock_timestamp()::text as now");
  const haveReaders = async () => {
    const [{ there }]: [{ there: boolean }] = await connection.unsafe(
      `select exists (select from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and backend_type = 'client backend' and backend_xmin is not null
        and xact_start < $1::text::timestamptz and query not ilike 'vacuum%') as there`,
      [now],
    );
    return there;
  };
  // oxlint-disable-next-line no-await-in-loop -- until they are done
  while (await haveReaders()) {
    if (performance.now() > end) throw new Error("an older transaction can still read it");
    await Bun.sleep(POLL_INTERVAL_MS); // oxlint-disable-line no-await-in-loop
  }
}

const OLD_VERSION_IN_USE =
  "It was deleted, but the database still keeps the old version, for example for a running backup. Try again in a few minutes.";
