/** The engine that stores a site's data in PostgreSQL, for one or many instances. */
import type { AnyRecords, Entity, ItemOf } from "../../../schema/entities/entity.ts";
import type { DatabaseAddress } from "../../shared/databaseUrl.ts";
import { cannotOpenDamaged, describeError } from "../../shared/errors.ts";
import {
  type DocumentEntity,
  type Engine,
  type Finding,
  type LeftoverCopy,
  type Replacement,
  type StoredValue,
  INTERRUPTED_RESTORE_FINDING,
  createLossFinding,
  createStartRefusalFinding,
} from "../engine.ts";
import { migrateItem, migrateStoredValue } from "../storedValue.ts";
import { createDocumentSpec } from "../entitySpecs.ts";
import { decodeSecret } from "../siteSecret.ts";
import {
  type Database,
  getDatabaseReason,
  openSingleConnection,
  toDatabaseRefusal,
} from "./database.ts";
import { openPostgres } from "./pgStore.ts";
import { findInstances, lockOutInstances } from "./instanceLock.ts";
import {
  getMovedAsideSchema,
  createPostgresReplacement,
  type WithDatabase,
} from "./replacement.ts";
import { readSiteFiles } from "./archiveFiles.ts";
import { getRecordsTableName } from "./recordsSql.ts";
import { readMeta } from "./meta.ts";

/** Creates the engine of a database. `folder` is a local folder for the staged files of a restore. */
export function createPostgresEngine(address: DatabaseAddress, folder: string): Engine {
  const withDatabase: WithDatabase = async (work) => {
    const database = openSingleConnection(address);
    try {
      return await work(database);
    } catch (error) {
      throw toDatabaseRefusal(address, error);
    } finally {
      await database.close();
    }
  };
  const readSiteMeta = () => withDatabase(readMeta);
  return {
    location: address.location,
    open: (options) => openPostgres(address, options),
    lock: () => lockDatabase(address),
    findLockHolders: () => withDatabase(findInstances),
    isInstalled: async () => {
      const { siteId, note } = await readSiteMeta();
      return siteId !== undefined || note !== undefined;
    },
    isEmpty: async () => Object.keys(await readSiteMeta()).length === 0,
    readSiteId: async () => (await readSiteMeta().catch(() => undefined))?.siteId,
    examine: (entities) =>
      withDatabase((database) => examineDatabase(database, entities)).catch((error: Error) => [
        { ok: false, message: describeError(error), blocksStart: true },
      ]),
    // Does nothing, since the data in a database has no checksums.
    acceptManualEdits: async () => [],
    readDocument: <E extends DocumentEntity>(entity: E) =>
      withDatabase((database) => readStoredValue(database, entity)).catch(
        () => undefined,
      ) as Promise<StoredValue<E> | undefined>,
    readRecords: (entity) =>
      withDatabase((database) => readStoredRecords(database, entity)).catch(() => []),
    readFiles: () => readFiles(address),
    readSecret: async () => {
      const { secret } = await readSiteMeta();
      return secret === undefined ? undefined : decodeSecret(secret);
    },
    findLeftoverCopies: () => withDatabase(findLeftoverSchemas),
    removeCopies: (copies) =>
      withDatabase(async (database) => {
        for (const { path } of copies)
          await database.unsafe(`drop schema if exists "${path.replaceAll('"', "")}" cascade`);
      }),
    replacement: {
      ...createPostgresReplacement(folder, withDatabase),
      openOldData: (note) =>
        createPostgresEngine({ ...address, schema: getMovedAsideSchema(address, note) }, folder),
    } satisfies Replacement,
  };
}

async function lockDatabase(address: DatabaseAddress): Promise<() => Promise<void>> {
  const database = openSingleConnection(address);
  try {
    const release = await lockOutInstances(database);
    return () => release().then(() => database.close());
  } catch (error) {
    await database.close();
    throw toDatabaseRefusal(address, error);
  }
}

async function* readFiles(address: DatabaseAddress): ReturnType<Engine["readFiles"]> {
  const database = openSingleConnection(address);
  try {
    yield* readSiteFiles(database);
  } catch (error) {
    throw toDatabaseRefusal(address, error);
  } finally {
    await database.close();
  }
}

async function readStoredValue(database: Database, entity: DocumentEntity): Promise<unknown> {
  const [row]: { version: number; value: unknown }[] = await database.unsafe(
    `select version, value from ${database.getTableName("documents")} where name = $1`,
    [entity.name],
  );
  const { format } = createDocumentSpec<unknown>(entity);
  return row && migrateStoredValue(format, row.version, row.value, true);
}

async function readStoredRecords<E extends AnyRecords>(
  database: Database,
  entity: E,
): Promise<ItemOf<E>[]> {
  const rows: { version: number; value: unknown }[] = await database.unsafe(
    `select version, value from ${getRecordsTableName(database, entity.name)} order by seq`,
  );
  return rows.map(({ version, value }) => migrateItem(entity, version, value) as ItemOf<E>);
}

/** Checks a database by reading each document and record, as a start does. */
async function examineDatabase(
  database: Database,
  entities: readonly Entity[],
): Promise<Finding[]> {
  const meta = await readMeta(database);
  const { location } = database.address;
  if (meta.note) return [INTERRUPTED_RESTORE_FINDING];
  if (!meta.siteId)
    return [
      createLossFinding(
        `There is no site in ${location}. Start Limelight to create a site, or restore a backup.`,
      ),
    ];
  const findings: Finding[] = [{ ok: true, message: `${location} responds` }];
  for (const entity of entities) findings.push(await examineEntity(database, entity));
  return findings;
}

async function examineEntity(database: Database, entity: Entity): Promise<Finding> {
  const { name } = entity;
  try {
    if (entity.shape !== "records") {
      const value = await readStoredValue(database, entity);
      if (value === undefined) throw cannotOpenDamaged("is missing. Restore a backup.");
      return { ok: true, message: name };
    }
    const records = await readStoredRecords(database, entity);
    return { ok: true, message: `${name}: ${records.length} records` };
  } catch (error) {
    return createStartRefusalFinding(error, `${name}: ${getDatabaseReason(error)}`);
  }
}

async function findLeftoverSchemas(database: Database): Promise<LeftoverCopy[]> {
  const rows: { name: string; size: string }[] = await database.unsafe(
    `select nspname as name, coalesce((select sum(pg_total_relation_size(c.oid)) from pg_class c
      where c.relnamespace = n.oid and c.relkind = 'r'), 0) as size
      from pg_namespace n where starts_with(nspname, $1) order by nspname`,
    [`${database.address.schema}_before_`],
  );
  return rows.map(({ name, size }) => ({ path: name, size: Number(size), origin: "a restore" }));
}
