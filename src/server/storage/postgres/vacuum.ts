/** Removes erased data from the database's tables and indexes; its log and its backups retain it longer. */
import type { ReservedSQL } from "bun";
import { cannotStore } from "../../shared/errors.ts";
import { type Database, reasonOf } from "./database.ts";
import { MINUTE } from "../../shared/time.ts";

/** The maximum wait, in milliseconds. */
const VACUUM_TIMEOUT_MS = MINUTE;
/** The interval of checks whether readers are done, in milliseconds. */
const POLL_INTERVAL_MS = 50;

/**
 * Resolves once nothing deleted is left in these tables, by any instance. Throws `cannot_store`. Other deleted data is
 * removed by the database's own vacuum.
 */
export async function vacuum(database: Database, tables: readonly string[]): Promise<void> {
  try {
    await vacuumAll(database, tables);
  } catch (error) {
    database.log(`storage: deleted data is still in a table (${reasonOf(error)})`);
    throw cannotStore(OLD_VERSION_IN_USE, error);
  }
}

async function vacuumAll(database: Database, tables: readonly string[]): Promise<void> {
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

/** Waits for all earlier transactions, such as a backup: rows that they may read stay in the tables. */
async function waitForReaders(connection: ReservedSQL): Promise<void> {
  const end = performance.now() + VACUUM_TIMEOUT_MS;
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
