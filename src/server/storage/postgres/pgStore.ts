/** The store for a site in a database. Other instances may use the same database. */
import type { ReservedSQL } from "bun";
import type { Collection, Entity, StoredItem } from "../../../schema/entities/entity.ts";
import type { DatabaseAddress } from "../../shared/databaseUrl.ts";
import { type DataKey, createDataKey } from "../../shared/secrets.ts";
import { cannotOpen, cannotStore } from "../../shared/errors.ts";
import { MINUTE } from "../../shared/time.ts";
import { createDocumentSpec, createRecordsSpec } from "../entitySpecs.ts";
import type { EngineOptions } from "../engine.ts";
import type { InstanceCoordinator } from "../../shared/instanceCoordinator.ts";
import type { ListTransform, HandleOf, Store, Transaction } from "../store.ts";
import { getHandle, runTransaction } from "../runTransaction.ts";
import { encodeSecret, decodeSecret, type SiteSecret, createSiteSecret } from "../siteSecret.ts";
import { InstanceChannel } from "./instanceChannel.ts";
import {
  toDatabaseRefusal,
  Database,
  READ_TIMEOUT_MS,
  getDatabaseReason,
  withDeadline,
} from "./database.ts";
import { PgDocument, reloadDocuments } from "./pgDocument.ts";
import { PgRecords } from "./pgRecords.ts";
import { registerInstance, type InstanceLock } from "./instanceLock.ts";
import { findSchemasContaining } from "./replacement.ts";
import { type SiteMeta, readMeta, setMeta } from "./meta.ts";
import { prepareTables } from "./tables.ts";
import { TransactionQueue } from "./transactionQueue.ts";

type Handle = PgDocument<unknown> | PgRecords<StoredItem, unknown>;

/** Opens a site in a database. Throws `cannot_open`, whose message explains what to do. */
export async function openPostgres(
  address: DatabaseAddress,
  { entities, log = (line) => console.error(line), dataKey = createDataKey() }: EngineOptions,
): Promise<Store> {
  const database = new Database(address, log);
  try {
    const openedDatabase = await openDatabase(database, entities, dataKey);
    return new PgStore(database, openedDatabase);
  } catch (error) {
    await database.close();
    throw toDatabaseRefusal(address, error);
  }
}

interface OpenedDatabase {
  readonly handles: ReadonlyMap<Entity, Handle>;
  readonly queue: TransactionQueue;
  readonly instanceLock: InstanceLock;
  readonly isInstalled: boolean;
  readonly meta: SiteMeta;
  readonly secret: SiteSecret;
}

async function openDatabase(
  database: Database,
  entities: readonly Entity[],
  dataKey: DataKey,
): Promise<OpenedDatabase> {
  await assertUsable(database);
  const handles = new Map<Entity, Handle>();
  const channel: InstanceChannel = new InstanceChannel(database, {
    async onChanged(names) {
      const affectedHandles = [...handles.values()].filter(({ name }) => names.includes(name));
      if (affectedHandles.length < names.length)
        throw new Error("another release has stored something");
      await reloadChanged(database, affectedHandles);
    },
    async reload() {
      await reloadChanged(database, [...handles.values()]);
    },
  });
  const queue = new TransactionQueue(database, channel);
  const instanceLock = await registerInstance(database, () => channel.reconnect());
  try {
    const { isInstalled, meta, secret } = await prepareDatabase(database, entities, dataKey);
    for (const entity of entities)
      handles.set(
        entity,
        entity.shape === "records"
          ? new PgRecords(queue, createRecordsSpec<StoredItem, unknown>(entity))
          : new PgDocument<unknown>(queue, createDocumentSpec(entity)),
      );
    await channel.listen();
    await reloadDocuments(database, findDocuments(handles.values()));
    return { handles, queue, instanceLock, isInstalled, meta, secret };
  } catch (error) {
    await channel.close();
    await instanceLock.release();
    throw error;
  }
}

const findDocuments = (handles: Iterable<Handle>) =>
  [...handles].filter((handle) => handle instanceof PgDocument);

/** Loads another instance's changes, then notifies the listeners. */
async function reloadChanged(
  database: Database,
  affectedHandles: readonly Handle[],
): Promise<void> {
  const changedHandles = new Set<Handle>(
    await reloadDocuments(database, findDocuments(affectedHandles)),
  );
  for (const handle of affectedHandles)
    if (handle instanceof PgRecords || changedHandles.has(handle))
      database.listeners.notifyAll(handle.name);
}

/** Prepares the tables, and reads the metadata and the secret. A lock lets only one instance do this at a time. */
async function prepareDatabase(database: Database, entities: readonly Entity[], dataKey: DataKey) {
  await database.sql
    .unsafe("create extension if not exists pg_trgm")
    .then(undefined, (error: unknown) =>
      database.log(
        `storage: the extension pg_trgm isn't available (${getDatabaseReason(error)}); searching long lists takes longer`,
      ),
    );
  return database.sql.begin(async (transaction) => {
    await transaction.unsafe("set local statement_timeout = 0");
    await transaction.unsafe("set local lock_timeout = 0");
    await transaction.unsafe("select pg_advisory_xact_lock($1::bigint)", [
      database.computeLockKey("start"),
    ]);
    const queries = database.toSiteQueries(transaction);
    const isInstalled = await prepareTables(queries, entities);
    const meta = (await readMeta(queries)) as SiteMeta;
    const storedSecret = meta.secret === undefined ? undefined : decodeSecret(meta.secret);
    const secret = createSiteSecret(storedSecret, dataKey, database.address.location);
    if (secret.bytesToStore) await setMeta(queries, { secret: encodeSecret(secret.bytesToStore) });
    return { isInstalled, meta, secret };
  });
}

/** Throws `cannot_open` for a standby, an encoding other than UTF8, and an old version of PostgreSQL. */
async function assertUsable(database: Database): Promise<void> {
  const [row]: [{ standby: boolean; encoding: string; version: number }] =
    await database.sql.unsafe(
      `select pg_is_in_recovery() as standby, current_setting('server_encoding') as encoding,
      current_setting('server_version_num')::int as version`,
    );
  const { standby, encoding, version } = row;
  const { location } = database.address;
  if (version < MIN_SERVER_VERSION)
    throw cannotOpen(
      `The database ${location} runs on a PostgreSQL older than 14. Upgrade it, or set DATABASE_URL to another database, then start again.`,
    );
  if (standby)
    throw cannotOpen(
      `The database ${location} is a standby, which is read-only. Use its primary server in DATABASE_URL, or promote the standby, then start again.`,
    );
  if (encoding !== "UTF8")
    throw cannotOpen(
      `The encoding of the database ${location} is ${encoding}, but must be UTF8. Create another database with createdb --encoding=UTF8 --template=template0, then start again.`,
    );
}

const MIN_SERVER_VERSION = 140_000;

class PgStore implements Store {
  readonly isInstalled: boolean;
  readonly siteId: string;
  readonly coordinator: InstanceCoordinator;
  #closing: Promise<void> | undefined;

  constructor(
    readonly database: Database,
    readonly openedDatabase: OpenedDatabase,
  ) {
    this.isInstalled = openedDatabase.isInstalled;
    this.siteId = openedDatabase.meta.siteId;
    const { queue, instanceLock } = openedDatabase;
    const { channel } = queue;
    this.coordinator = {
      runExclusively: instanceLock.runExclusively,
      publish: (topic, payload) => channel.publish(topic, payload),
      subscribe: (topic, listener) => channel.subscribe(topic, listener),
    };
  }

  of<E extends Entity>(entity: E): HandleOf<E> {
    // The cast is safe, since the handle was opened with this entity's types.
    const handle: object = getHandle(this.openedDatabase.handles, entity);
    return handle as HandleOf<E>;
  }

  transaction<R>(work: (transaction: Transaction) => Promise<R>): Promise<R> {
    const { queue, handles } = this.openedDatabase;
    return queue.run("several entities", (commit) =>
      runTransaction((entity) => getHandle(handles, entity).stage(commit), work),
    );
  }

  purgeOldVersions(): Promise<void> {
    const { database } = this;
    const listTables = [...this.openedDatabase.handles.values()].flatMap((handle) =>
      handle instanceof PgRecords ? handle.table : [],
    );
    const sharedTables = ["documents", "history"].map((name) => database.getTableName(name));
    return vacuum(database, [...sharedTables, ...listTables]);
  }

  eraseCopies(text: string): Promise<string[]> {
    return findSchemasContaining(this.database, text);
  }

  async rewriteHistory(changes: ReadonlyMap<Collection, ListTransform>): Promise<void> {
    for (const [list, change] of changes) {
      const document: object = this.of(list);
      if (document instanceof PgDocument) await document.rewriteHistory(change);
    }
    await this.purgeOldVersions();
  }

  onChange(listener: (name: string) => void): () => void {
    return this.database.listeners.add(listener);
  }

  async readSecret(): Promise<Uint8Array> {
    return this.openedDatabase.secret.read();
  }

  async checkHealth(): Promise<void> {
    const database = this.database;
    if (this.openedDatabase.queue.channel.isSilent) throw cannotStore(NOT_RECEIVING_MESSAGE);
    try {
      const trialWrite = database.write("a trial", (transaction) =>
        setMeta(database.toSiteQueries(transaction), { tried: new Date().toISOString() }),
      );
      await withDeadline(trialWrite, READ_TIMEOUT_MS);
    } catch (error) {
      throw cannotStore(DATABASE_UNREACHABLE_MESSAGE, error);
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const { queue, instanceLock } = this.openedDatabase;
    await queue.close();
    await queue.channel.close();
    await instanceLock.release();
    await this.database.close();
  }
}

const NOT_RECEIVING_MESSAGE =
  "This instance isn't receiving other instances' changes from the database, so its pages may be out of date. It will reconnect automatically.";
const DATABASE_UNREACHABLE_MESSAGE =
  "The database can't be reached at the moment, so nothing can be saved. Pages are still served as they were last loaded.";

const VACUUM_TIMEOUT_MS = MINUTE;
/** The interval at which `waitForReaders` checks whether earlier transactions have ended. */
const POLL_INTERVAL_MS = 50;

/** Physically removes deleted data from tables and indexes. The database's log and backups retain it longer. */
async function vacuum(database: Database, tables: readonly string[]): Promise<void> {
  try {
    await vacuumTables(database, tables);
  } catch (error) {
    database.log(`storage: deleted data is still in a table (${getDatabaseReason(error)})`);
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

/** Waits for earlier transactions, such as a backup's, since a vacuum doesn't remove rows that they can still read. */
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
