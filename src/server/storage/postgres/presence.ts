/**
 * Keeps instances and whoever replaces all apart: a serving one holds a lock that it shares with the others,
 * a restore needs it alone. It belongs to a connection, and is taken again when that is lost. The lock of a
 * job belongs to the same connection and is not: another instance may have had it meanwhile, so the job is over.
 */
import type { ReservedSQL } from "bun";
import { cannotOpen } from "../../shared/errors.ts";
import type { Instances } from "../../shared/instances.ts";
import { type Database, type Queries, withinTime } from "./database.ts";

/** How often it is looked whether the connection is still there, in milliseconds. */
export const LOOK_EVERY = 2000;

/** The database sees that a process was killed when the statement of that process is over, in milliseconds. */
const ENDS_WITHIN = 1500;

export interface Presence {
  /** Whether no other instance is there. */
  isAlone(queries: Queries): Promise<boolean>;
  readonly alone: Instances["alone"];
  end(): Promise<void>;
}

interface PresenceHearer {
  /** It had to be taken again: something may have been missed. */
  lost(): void;
  /** At every look, for what a notice may have failed to tell. */
  looked(): Promise<void>;
}

/** Throws `cannot_open` while a restore holds the lock. */
export async function beThere(
  database: Database,
  { lost, looked }: PresenceHearer,
): Promise<Presence> {
  const number = database.lockNumber("site");
  let connection = await taken(database, "pg_try_advisory_lock_shared");
  if (!connection) throw isHeld(database);
  let isEnding = false;
  /** The jobs of this instance: a connection could take a lock that it holds once more. */
  const busy = new Set<string>();
  let looking: Promise<void> = Promise.resolve();
  const look = async () => {
    if (connection && (await isThere(connection))) return looked().catch(() => undefined);
    if (connection) await drop(connection);
    connection = await taken(database, "pg_try_advisory_lock_shared").catch(() => undefined);
    if (connection) lost();
  };
  const timer = setInterval(() => {
    if (!isEnding) looking = looking.then(look);
  }, LOOK_EVERY);
  timer.unref();
  return {
    isAlone: (queries) => beThereAlone(database, queries),
    async alone(job, work) {
      const here = connection;
      const own = database.lockNumber(`job ${job}`);
      if (!here || busy.has(job)) return undefined;
      busy.add(job);
      let isOurs = false;
      try {
        isOurs = await isTaken(here, "pg_try_advisory_lock", own).catch(() => false);
        const isStillOurs = async () => here === connection && (await isThere(here));
        return isOurs ? await work(isStillOurs) : undefined;
      } finally {
        // Of a connection that was lost the database has given it free already.
        if (isOurs) await isTaken(here, "pg_advisory_unlock", own).catch(() => undefined);
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
export const beThereAlone = async (database: Database, queries: Queries): Promise<boolean> =>
  (await countThere(database, queries)) <= 1;

/** How many have the site open. */
export async function countThere(database: Database, queries: Queries): Promise<number> {
  const [row] = await queries.unsafe(
    `select count(*) as count from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32 | objid::bigint) = $1::bigint`,
    [database.lockNumber("site")],
  );
  return Number((row as { count: string }).count);
}

/** Keeps every instance out until the function returned is called. Throws `cannot_open`. */
export async function keepOut(database: Database): Promise<() => Promise<void>> {
  const end = performance.now() + ENDS_WITHIN;
  let connection = await taken(database, "pg_try_advisory_lock");
  while (!connection && performance.now() < end) {
    await Bun.sleep(100); // oxlint-disable-line no-await-in-loop -- until it is given free
    connection = await taken(database, "pg_try_advisory_lock"); // oxlint-disable-line no-await-in-loop
  }
  if (!connection) throw isHeld(database);
  return () => unlock(connection, database.lockNumber("site"), "");
}

const isHeld = ({ address }: Database) =>
  cannotOpen(
    `Another process has ${address.location} open: a serving instance, or a restore. Stop it, or wait until it is done, then try again.`,
  );

async function taken(
  database: Database,
  lock: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared",
): Promise<ReservedSQL | undefined> {
  const connection = await database.sql.reserve();
  try {
    if (await isTaken(connection, lock, database.lockNumber("site"))) return connection;
  } catch (error) {
    await release(connection);
    throw error;
  }
  await release(connection);
  return undefined;
}

async function isTaken(
  connection: ReservedSQL,
  lock: "pg_try_advisory_lock" | "pg_try_advisory_lock_shared" | "pg_advisory_unlock",
  number: bigint,
): Promise<boolean> {
  const [row] = await connection.unsafe(`select ${lock}($1::bigint) as done`, [number]);
  return (row as { done: boolean }).done;
}

async function unlock(connection: ReservedSQL, number: bigint, kind: "" | "_shared") {
  await connection
    .unsafe(`select pg_advisory_unlock${kind}($1::bigint)`, [number])
    .then(undefined, () => undefined);
  await release(connection);
}

const isThere = (connection: ReservedSQL) =>
  withinTime(Promise.resolve(connection.unsafe("select 1"))).then(
    () => true,
    () => false,
  );

/** It doesn't go back to the others: it is dead, or holds locks that nobody knows of. */
const drop = (connection: ReservedSQL) => connection.close().catch(() => undefined);

const release = async (connection: ReservedSQL) => {
  try {
    await connection.release();
  } catch {
    // It was lost before.
  }
};
