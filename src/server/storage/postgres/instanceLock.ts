/**
 * Separates instances from replacements: serving instances share a lock, which a restore needs exclusively. It
 * belongs to a connection, and is acquired again if that is lost. A job's lock belongs to the same connection but
 * isn't acquired again: another instance may have had it meanwhile, so the job is over.
 */
import type { ReservedSQL } from "bun";
import { inUse } from "../../shared/errors.ts";
import type { Instances } from "../../shared/instances.ts";
import { type Database, type Queries, withTimeout } from "./database.ts";

/** The interval of checks of the connection, in milliseconds. */
const CHECK_INTERVAL_MS = 2000;

/** The database notices a killed process when its statement ends, in milliseconds. */
const RELEASE_TIMEOUT_MS = 1500;

export interface InstanceLock {
  /** Whether there is no other instance. */
  isAlone(queries: Queries): Promise<boolean>;
  readonly alone: Instances["runExclusively"];
  end(): Promise<void>;
}

/**
 * `onLost`: called once the lock had to be acquired again, so changes may have been missed. Throws `cannot_open` while
 * a restore has the lock.
 */
export async function registerInstance(
  database: Database,
  onLost: () => void,
): Promise<InstanceLock> {
  const number = database.lockNumber("site");
  let connection = await throwLocked(database, "pg_try_advisory_lock_shared");
  if (!connection) throw isHeld(database);
  let isEnding = false;
  /** This instance's jobs: a connection could take its own lock again. */
  const busy = new Set<string>();
  let looking: Promise<void> = Promise.resolve();
  const checkConnection = async () => {
    if (connection && (await isConnected(connection))) return;
    if (connection) await drop(connection);
    connection = await throwLocked(database, "pg_try_advisory_lock_shared").catch(() => undefined);
    if (connection) onLost();
  };
  const timer = setInterval(() => {
    if (!isEnding) looking = looking.then(checkConnection);
  }, CHECK_INTERVAL_MS);
  timer.unref();
  return {
    isAlone: (queries) => isOnlyInstance(database, queries),
    async alone(job, work) {
      const held = connection;
      const lockNumber = database.lockNumber(`job ${job}`);
      if (!held || busy.has(job)) return undefined;
      busy.add(job);
      let isOurs = false;
      try {
        isOurs = await tryLock(held, "pg_try_advisory_lock", lockNumber).catch(() => false);
        const holdsLock = async () => held === connection && (await isConnected(held));
        return isOurs ? await work(holdsLock) : undefined;
      } finally {
        // On a lost connection, the database has released it already.
        if (isOurs) await tryLock(held, "pg_advisory_unlock", lockNumber).catch(() => undefined);
        busy.delete(job);
      }
    },
    async end() {
      isEnding = true;
      clearInterval(timer);
      await looking;
      if (connection) await unlock(connection, number, "_shared");
    },
  };
}

/** Whether at most one has the site open. */
export const isOnlyInstance = async (database: Database, queries: Queries): Promise<boolean> =>
  (await instancesIn(database, queries)).length <= 1;

/** The processes that have the site open, by machine and number. */
export async function instancesIn(database: Database, queries: Queries): Promise<string[]> {
  const rows: { process: string }[] = await queries.unsafe(
    `select concat_ws(' ', host(client_addr), application_name) as process
      from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objsubid = 1 and granted
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = $1::bigint`,
    [database.lockNumber("site")],
  );
  return rows.map(({ process }) => process);
}

/** Locks out all instances until the returned function is called. Throws `cannot_open`. */
export async function lockOutInstances(database: Database): Promise<() => Promise<void>> {
  const end = performance.now() + RELEASE_TIMEOUT_MS;
  let connection = await throwLocked(database, "pg_try_advisory_lock");
  while (!connection && performance.now() < end) {
    await Bun.sleep(100); // oxlint-disable-line no-await-in-loop -- until it is given free
    connection = await throwLocked(database, "pg_try_advisory_lock"); // oxlint-disable-line no-await-in-loop
  }
  if (!connection) throw isHeld(database);
  return () => unlock(connection, database.lockNumber("site"), "");
}

const isHeld = ({ address }: Database) =>
  inUse(
    `Another process has ${address.location} open: a serving instance, or a restore. Stop it, or wait until it is done, then try again.`,
  );

async function throwLocked(
  database: Database,
  lock: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared",
): Promise<ReservedSQL | undefined> {
  const connection = await database.sql.reserve();
  try {
    if (await tryLock(connection, lock, database.lockNumber("site"))) return connection;
  } catch (error) {
    await release(connection);
    throw error;
  }
  await release(connection);
  return undefined;
}

async function tryLock(
  connection: ReservedSQL,
  lock: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared" | "pg_advisory_unlock",
  number: bigint,
): Promise<boolean> {
  const [row]: [{ done: boolean }] = await connection.unsafe(`select ${lock}($1::bigint) as done`, [
    number,
  ]);
  return row.done;
}

async function unlock(connection: ReservedSQL, number: bigint, kind: "" | "_shared") {
  await connection
    .unsafe(`select pg_advisory_unlock${kind}($1::bigint)`, [number])
    .then(undefined, () => undefined);
  await release(connection);
}

const isConnected = (connection: ReservedSQL) =>
  withTimeout(Promise.resolve(connection.unsafe("select 1"))).then(
    () => true,
    () => false,
  );

/** Not returned to the pool: it is dead, or holds unknown locks. */
const drop = (connection: ReservedSQL) => connection.close().catch(() => undefined);

const release = async (connection: ReservedSQL) => {
  try {
    await connection.release();
  } catch {
    // It was lost before.
  }
};
