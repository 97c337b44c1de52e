/**
 * Prevents a restore while instances are running: they share a lock that a restore needs for itself. The lock is lost
 * with its connection, and is then acquired again. The lock of a job isn't acquired again: another instance may have
 * run the job meanwhile, so the job has to end.
 */
import type { ReservedSQL } from "bun";
import { inUse } from "../../shared/errors.ts";
import type { InstanceCoordinator } from "../../shared/instanceCoordinator.ts";
import { type Database, type SiteQueries, withDeadline } from "./database.ts";

/** The interval at which the connection is tested. PostgreSQL releases the lock when the connection breaks. */
const CHECK_INTERVAL_MS = 2000;

/** The maximum wait for a killed process's lock. The database keeps it until the process's last statement ends. */
const RELEASE_TIMEOUT_MS = 1500;

export interface InstanceLock {
  readonly runExclusively: InstanceCoordinator["runExclusively"];
  release(): Promise<void>;
}

/**
 * Acquires the shared lock. `onRegained` is called after the lock was lost and acquired again, because notices may have
 * been missed meanwhile. Throws `cannot_open` while a restore has the lock.
 */
export async function registerInstance(
  database: Database,
  onRegained: () => void,
): Promise<InstanceLock> {
  const siteLockNumber = database.computeLockKey("site");
  let connection = await tryAcquire(database, "pg_try_advisory_lock_shared");
  if (!connection) throw createHeldLockRefusal(database);
  let isReleased = false;
  /** This instance's jobs. The lock can't prevent a second run here, since a connection may acquire it repeatedly. */
  const runningJobs = new Set<string>();
  let lastCheck: Promise<void> = Promise.resolve();
  const checkConnection = async () => {
    if (connection && (await isConnected(connection))) return;
    if (connection) await closeConnection(connection);
    connection = await tryAcquire(database, "pg_try_advisory_lock_shared").catch(() => undefined);
    if (connection) onRegained();
  };
  const timer = setInterval(() => {
    if (!isReleased) lastCheck = lastCheck.then(checkConnection);
  }, CHECK_INTERVAL_MS);
  timer.unref();
  return {
    async runExclusively(job, work) {
      const lockConnection = connection;
      const lockNumber = database.computeLockKey(`job ${job}`);
      if (!lockConnection || runningJobs.has(job)) return undefined;
      runningJobs.add(job);
      let isLocked = false;
      try {
        isLocked = await callLockFunction(lockConnection, "pg_try_advisory_lock", lockNumber).catch(
          () => false,
        );
        const isLockHeld = async () =>
          lockConnection === connection && (await isConnected(lockConnection));
        return isLocked ? await work(isLockHeld) : undefined;
      } finally {
        // An error is ignored, since the database releases the locks of a lost connection.
        if (isLocked)
          await callLockFunction(lockConnection, "pg_advisory_unlock", lockNumber).catch(
            () => undefined,
          );
        runningJobs.delete(job);
      }
    },
    async release() {
      isReleased = true;
      clearInterval(timer);
      await lastCheck;
      if (connection) await unlock(connection, siteLockNumber, "_shared");
    },
  };
}

export const isOnlyInstance = async (queries: SiteQueries): Promise<boolean> =>
  (await findInstances(queries)).length <= 1;

/** Returns the processes that have the site open, each as the address of its machine and its process number. */
export async function findInstances(queries: SiteQueries): Promise<string[]> {
  const rows: { process: string }[] = await queries.unsafe(
    `select concat_ws(' ', host(client_addr), application_name) as process
      from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objsubid = 1 and granted
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = $1::bigint`,
    [queries.computeLockKey("site")],
  );
  return rows.map(({ process }) => process);
}

/** Prevents all instances from opening the site until the returned function is called. Throws `cannot_open`. */
export async function lockOutInstances(database: Database): Promise<() => Promise<void>> {
  const deadline = performance.now() + RELEASE_TIMEOUT_MS;
  for (;;) {
    const connection = await tryAcquire(database, "pg_try_advisory_lock");
    if (connection) return () => unlock(connection, database.computeLockKey("site"), "");
    if (performance.now() > deadline) throw createHeldLockRefusal(database);
    await Bun.sleep(100);
  }
}

const createHeldLockRefusal = ({ address }: Database) =>
  inUse(
    `Another process is using ${address.location}: a running site or a restore. Stop the site, or wait for the restore to finish, then try again.`,
  );

/** Acquires the site's lock on a new connection; undefined if another process has it. */
async function tryAcquire(
  database: Database,
  lock: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared",
): Promise<ReservedSQL | undefined> {
  const connection = await database.sql.reserve();
  let isLocked = false;
  try {
    isLocked = await callLockFunction(connection, lock, database.computeLockKey("site"));
    return isLocked ? connection : undefined;
  } finally {
    if (!isLocked) await releaseConnection(connection);
  }
}

async function callLockFunction(
  connection: ReservedSQL,
  lockFunction: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared" | "pg_advisory_unlock",
  number: bigint,
): Promise<boolean> {
  const [row]: [{ succeeded: boolean }] = await connection.unsafe(
    `select ${lockFunction}($1::bigint) as succeeded`,
    [number],
  );
  return row.succeeded;
}

async function unlock(connection: ReservedSQL, number: bigint, suffix: "" | "_shared") {
  await connection
    .unsafe(`select pg_advisory_unlock${suffix}($1::bigint)`, [number])
    .then(undefined, () => undefined);
  await releaseConnection(connection);
}

const isConnected = (connection: ReservedSQL) =>
  withDeadline(Promise.resolve(connection.unsafe("select 1"))).then(
    () => true,
    () => false,
  );

/** Closes a connection. It isn't returned to the pool, because it may still have locks. */
const closeConnection = (connection: ReservedSQL) => connection.close().catch(() => undefined);

const releaseConnection = async (connection: ReservedSQL) => {
  try {
    await connection.release();
  } catch {
    // The error is ignored, since it means that the connection is lost already.
  }
};
