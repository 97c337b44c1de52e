/** Removes erased data from the database's tables and indexes. The database's log and backups retain the data longer. */
import type { ReservedSQL } from "bun";
import { cannotStore } from "../../shared/errors.ts";
import { type Database, getErrorReason } from "./database.ts";
import { MINUTE } from "../../shared/time.ts";

const VACUUM_TIMEOUT_MS = MINUTE;
/** The interval of checks whether earlier transactions have ended. */
const POLL_INTERVAL_MS = 50;

/** Resolves once these tables contain no deleted data of any instance. Throws `cannot_store`. */
export async function vacuum(database: Database, tables: readonly string[]): Promise<void> {
  try {
    await vacuumTables(database, tables);
  } catch (error) {
    database.log(`storage: deleted data is still in a table (${getErrorReason(error)})`);
    throw cannotStore(OLD_VERSION_IN_USE_MESSAGE, error);
  }
}

async function vacuumTables(database: Database, tables: readonly string[]): Promise<void> {
  const connection = await database.sql.reserve();
  try {
    await connection.unsafe(`set statement_timeout = ${VACUUM_TIMEOUT_MS}`);
    await connection.unsafe("set lock_timeout = 0");
    await waitForReaders(connection);
    await connection.unsafe(`vacuum (index_cleanup on) ${tables.join(", ")}`);
  } finally {
    await connection.unsafe("reset statement_timeout").catch(() => undefined);
    await connection.unsafe("reset lock_timeout").catch(() => undefined);
    await connection.release();
  }
}

/** Waits for all earlier transactions, such as a backup's: a vacuum doesn't remove rows that they can still read. */
async function waitForReaders(connection: ReservedSQL): Promise<void> {
  const deadline = performance.now() + VACUUM_TIMEOUT_MS;
  const [{ now }] = await connection.unsafe("select clock_timestamp()::text as now");
  const hasReaders = async () => {
    const readers: unknown[] = await connection.unsafe(
      `select 1 from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and backend_type = 'client backend' and backend_xmin is not null
        and xact_start < $1::text::timestamptz and query not ilike 'vacuum%'`,
      [now],
    );
    return readers.length > 0;
  };
  while (await hasReaders()) {
    if (performance.now() > deadline) throw new Error("an older transaction can still read it");
    await Bun.sleep(POLL_INTERVAL_MS);
  }
}

const OLD_VERSION_IN_USE_MESSAGE =
  "The data was deleted, but the database still keeps the old version, for example for a running backup. Try again in a few minutes.";
